import { afterEach, beforeEach, expect, type MockInstance, test, vi } from 'vitest'
import { createReceiver } from '../src/index.ts'
import { current, expectRefusal, incoming, NOW, received } from './deliveries.ts'

let log: MockInstance<typeof console.error>

beforeEach(() => {
  log = vi.spyOn(console, 'error').mockReturnValue()
})

afterEach(() => {
  vi.restoreAllMocks()
})

/** A receiver whose clock is set by hand, and two ways to be refused by it. */
function reporting() {
  const clock = { time: NOW }
  const receiver = createReceiver(current.secret, { now: () => clock.time })
  const remote = () => ({ address: '192.0.2.7' })
  return {
    clock,
    forged: () => {
      const changes = { body: new Uint8Array(0), remote }
      return expectRefusal(
        receiver.receive(incoming('message.read', changes)),
        401,
        'signature_mismatch',
      )
    },
    get: () => {
      const changes = { method: 'GET' }
      return expectRefusal(
        receiver.receive(incoming('message.read', changes)),
        405,
        'method_not_allowed',
      )
    },
  }
}

const lines = () => log.mock.calls.map(([line]) => String(line))

test('is one line with status, reason, address and detail', async () => {
  const { forged, get } = reporting()
  const { detail } = await forged()
  await get()
  expect(log.mock.calls.map(({ length }) => length)).toEqual([1, 1])
  expect(lines()[0]).toBe(`[webhook-receiver] 401 signature_mismatch from 192.0.2.7: ${detail}`)
  expect(lines()[1]).toMatch(/^\[webhook-receiver\] 405 method_not_allowed: The request is a GET;/)
  expect(lines().join('')).not.toContain('\n')
})

test('is one line a reason and minute, and then tells how many were held back', async () => {
  const { clock, forged, get } = reporting()
  for (let times = 0; times < 5; times++) await forged()
  expect(lines()).toHaveLength(1)

  await get()
  expect(lines(), 'another reason has a minute of its own').toHaveLength(2)

  clock.time = NOW + 59_999
  await forged()
  expect(lines()).toHaveLength(2)

  clock.time = NOW + 60_000
  await forged()
  expect(lines()).toHaveLength(3)
  expect(lines()[2]).toMatch(/ \(and 5 more like it since the last such line\)$/)

  await forged()
  clock.time = NOW + 119_999
  await forged()
  expect(lines()).toHaveLength(3)

  clock.time = NOW + 120_000
  await forged()
  expect(lines()[3]).toMatch(/ \(and 2 more like it since the last such line\)$/)

  clock.time = NOW + 200_000
  await forged()
  expect(lines()).toHaveLength(5)
  expect(lines()[4]).not.toContain('more like it')
})

test('goes on where the clock was set back', async () => {
  const { clock, forged } = reporting()
  await forged()
  clock.time = NOW - 3_600_000
  await forged()
  expect(lines()).toHaveLength(2)
})

test('is not shared by two receivers', async () => {
  await reporting().forged()
  await reporting().forged()
  expect(lines()).toHaveLength(2)
})

test('is silenced by false, and replaced by a function', async () => {
  const headers = { 'x-webhook-signature': undefined }
  await expectRefusal(received('message.read', { headers }), 401, 'signature_missing')
  const onRejected = vi.fn()
  for (let times = 0; times < 3; times++) {
    const attempt = received('message.read', { headers }, { onRejected })
    await expectRefusal(attempt, 401, 'signature_missing')
  }
  expect(onRejected, 'a function is told of each').toHaveBeenCalledTimes(3)
  expect(log).not.toHaveBeenCalled()
})

test('says nothing of a delivery that was accepted', async () => {
  const receiver = createReceiver(current.secret, { now: () => NOW })
  expect((await receiver.receive(incoming('message.read'))).delivery.known).toBe(true)
  expect(log).not.toHaveBeenCalled()
})
