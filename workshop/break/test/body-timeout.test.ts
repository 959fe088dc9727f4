import { once } from 'node:events'
import { connect } from 'node:net'
import { createDelivery, signedRequest } from '@webhook-receiver/checks/signing.mjs'
import { requestHead } from '@webhook-receiver/checks/wire.mjs'
import { listening } from '@webhook-receiver/conformance'
import type { ReceiverOptions, Rejection } from '@webhook-receiver/core'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { ADAPTERS, applications } from '../applications.mjs'

const SECRET = 'whsec_body_timeout'

/** Opens a connection to an application, and collects what comes. */
async function open(adapter: string, options: ReceiverOptions) {
  const rejections: Rejection[] = []
  const onRejected = (rejection: Rejection) => void rejections.push(rejection)
  const make = applications[adapter]
  if (!make) throw new Error(`there is no application for ${adapter}`)
  const { port, close } = await listening(await make(SECRET, { onRejected, ...options }))
  onTestFinished(close)
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  const seen = { text: '' }
  socket.on('data', (data) => {
    seen.text += data
  })
  return { socket, seen, rejections }
}

const REJECTED =
  /^HTTP\/1\.1 408 .*\r\nConnection: close\r\n.*\r\n\r\n\{"code":"body_too_slow","message":"body too slow"\}$/is

const { headers, body } = signedRequest(SECRET, createDelivery('message.received'))
const head = requestHead({ ...headers, Connection: 'keep-alive' })
const chunkedHead = head.replace(/Content-Length: \d+/, 'Transfer-Encoding: chunked')

describe.each(ADAPTERS)('a body that is late, on %s,', (adapter) => {
  test.each([
    ['stops halfway', [head, body.subarray(0, 50)], body.subarray(50), 50],
    ['stops inside a chunk', [chunkedHead, 'f\r\n0123456789'], '01234\r\n0\r\n\r\n', 10],
  ])(
    'because it %s, gets 408 and the connection is closed',
    async (_how, parts, rest, received) => {
      const { socket, seen, rejections } = await open(adapter, { bodyTimeout: 0.2 })
      for (const part of parts) socket.write(part)
      await expect.poll(() => seen.text).toMatch(REJECTED)
      expect(rejections).toMatchObject([{ reason: 'body_timeout', signatureValid: false }])
      expect(rejections[0]?.detail).toContain(`${received} bytes had arrived`)
      socket.write(rest)
      await once(socket, 'end')
      expect(seen.text).toMatch(REJECTED)
    },
  )

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
