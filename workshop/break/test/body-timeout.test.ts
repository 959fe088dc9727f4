import { connect } from 'node:net'
import { createDelivery, signedRequest } from '@webhook-receiver/checks/signing.mjs'
import { requestHead } from '@webhook-receiver/checks/wire.mjs'
import { listening } from '@webhook-receiver/conformance'
import type { ReceiverOptions } from '@webhook-receiver/core'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { ADAPTERS, applications } from '../applications.mjs'

const SECRET = 'whsec_body_timeout'

/** Opens a connection to an application, and collects what comes. */
async function open(adapter: string, options: ReceiverOptions) {
  const make = applications[adapter]
  if (!make) throw new Error(`there is no application for ${adapter}`)
  const { port, close } = await listening(await make(SECRET, options))
  onTestFinished(close)
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  const seen = { text: '' }
  socket.on('data', (data) => {
    seen.text += data
  })
  return { socket, seen }
}

const { headers, body } = signedRequest(SECRET, createDelivery('message.received'))
const head = requestHead({ ...headers, Connection: 'keep-alive' })

// That one that does not come gets 408 is in the suites.
describe.each(ADAPTERS)('a body that is late, on %s,', (adapter) => {
  test('is waited for without end with Infinity', async () => {
    const timers = vi.spyOn(globalThis, 'setTimeout')
    const { socket, seen } = await open(adapter, { bodyTimeout: Number.POSITIVE_INFINITY })
    socket.write(Buffer.concat([Buffer.from(head), body.subarray(0, 50)]))
    socket.write(body.subarray(50))
    await expect.poll(() => seen.text).toMatch(/^HTTP\/1\.1 20[04] /)
    expect(timers.mock.calls.filter(([, delay]) => delay === Number.POSITIVE_INFINITY)).toEqual([])
  })

  test('is accepted where it has come and the process was too busy to look', async () => {
    const { socket, seen } = await open(adapter, { bodyTimeout: 1 })
    socket.write(head)
    // The receiver has begun to wait.
    await new Promise((resolve) => setTimeout(resolve, 50))
    socket.write(body)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1100)
    await expect.poll(() => seen.text).toMatch(/^HTTP\/1\.1 20[04] /)
  })
})
