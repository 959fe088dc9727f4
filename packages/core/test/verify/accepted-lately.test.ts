import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { Rejection, SecretSource } from '../../src/index.ts'
import { rejection } from '../../src/reject/rejection.ts'
import { AcceptedCounter, acceptedByAny } from '../../src/verify/accepted-lately.ts'
import { current, expectRejection, incoming, previous, receiverWith } from '../deliveries.ts'

const MINUTE = 60_000

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
})

const later = (milliseconds: number) => vi.advanceTimersByTime(milliseconds)

/** A receiver, with one request that it accepts and one that it rejects, and what it reports of that. */
function reporting(secrets: SecretSource<Request> = current.secret) {
  const onRejected = vi.fn<(rejection: Rejection) => void>()
  const receiver = receiverWith({ onRejected }, secrets)
  return {
    accept: () => receiver.receive(incoming('message.read')),
    async reject() {
      const attempt = receiver.receive(incoming('message.read', { body: new Uint8Array(3) }))
      await expectRejection(attempt, 401, 'signature_mismatch')
      return onRejected.mock.lastCall?.[0]
    },
  }
}

describe('a signature that does not match', () => {
  test('says how many others the same secret verified in the last minute', async () => {
    const { accept, reject } = reporting()
    for (let count = 0; count < 14; count++) {
      await accept()
      later(1000)
    }
    const rejection = await reject()
    expect(rejection?.acceptedLately).toEqual({ count: 14, seconds: 60 })
    expect(rejection?.detail).toContain(
      'Another secret, or body changed? Yours is right: 14 valid in the last minute. Secret fingerprint: 8e7b5f12. Compare with',
    )
    later(50_000)
    expect((await reject())?.acceptedLately).toEqual({ count: 9, seconds: 60 })
  })

  test('says after ten minutes that the secret verified none', async () => {
    const { reject } = reporting()
    expect((await reject())?.acceptedLately).toBeUndefined()
    later(10 * MINUTE - 1)
    expect(await reject()).not.toHaveProperty('acceptedLately')
    later(2 * MINUTE + 1)
    const rejection = await reject()
    expect(rejection?.acceptedLately).toEqual({ count: 0, seconds: 720 })
    expect(rejection?.detail).toContain(
      '? None was valid for 12 minutes. Secret fingerprint: 8e7b5f12. Compare with the secret of the webhook',
    )
  })

  test('counts the minutes from the last delivery that was accepted', async () => {
    const secrets = { current: current.secret, previous: previous.secret }
    const { accept, reject } = reporting(secrets)
    await reject()
    later(30 * MINUTE)
    await accept()
    expect((await reject())?.detail).toContain(
      '? One of yours is right: 1 valid in the last minute. ',
    )
    later(11 * MINUTE)
    expect((await reject())?.acceptedLately).toEqual({ count: 0, seconds: 660 })
  })

  test('says behind that what the request shows of its secret, which has just signed others', () => {
    const seen = { length: 3, secrets: [], shows: 'The request is of test mode.' }
    const lately = { count: 1, seconds: 60 }
    const { detail } = rejection('signature_mismatch', { ...seen, lately })
    expect(detail).toMatch(
      /\? Yours is right: 1 valid in the last minute\..* The request is of test mode\.$/,
    )
    expect(rejection('signature_mismatch', seen).detail).toMatch(/^The request is of test mode\./)
  })

  test('says nothing of that on AWS Lambda, whose copies see a few requests each', async () => {
    vi.stubEnv('AWS_LAMBDA_FUNCTION_NAME', 'hooks')
    const { accept, reject } = reporting()
    await accept()
    expect(await reject()).not.toHaveProperty('acceptedLately')
  })
})

test('several secrets are counted together, each for its own minute', () => {
  const [one, other] = [new AcceptedCounter(), new AcceptedCounter()]
  const secrets = [{ accepted: one }, { accepted: other }]
  one.note(1_000_000)
  one.note(1_000_400)
  other.note(1_059_999)
  expect(acceptedByAny(secrets, 1_059_999)).toEqual({ count: 3, seconds: 60 })
  expect(acceptedByAny(secrets, 1_060_000)).toEqual({ count: 1, seconds: 60 })
  // What came while a slow body was read.
  one.note(1_059_000)
  expect(acceptedByAny(secrets, 1_060_000)).toEqual({ count: 2, seconds: 60 })
  expect(acceptedByAny(secrets, 9_000_000)?.count).toBe(0)
})
