import { beforeEach, describe, expect, test, vi } from 'vitest'
import { mac } from '#mac'
import { contract } from '../../src/contract/scheme.ts'
import { createKeyRing } from '../../src/verify/secret.ts'
import { current, expectRejection, incoming, previous, receiverWith } from '../deliveries.ts'

vi.mock('#mac', async (original) => {
  const real = await original<typeof import('#mac')>()
  return {
    mac: {
      importKey: vi.fn(real.mac.importKey),
      verify: vi.fn(real.mac.verify),
      sha256: vi.fn(real.mac.sha256),
    },
  }
})

beforeEach(() => {
  vi.clearAllMocks()
})

test.each([
  ['the second', 'message.received', 'b'],
  ['the third', 'previous secret', 'c'],
  ['none', 'canary message.received', undefined],
] as const)(
  'of three secrets, every MAC is computed and compared where %s matches',
  async (_, name, matched) => {
    const secrets = { a: 'whsec_another_secret', b: current.secret, c: previous.secret }
    const attempt = receiverWith({}, secrets).receive(incoming(name))
    if (matched) expect((await attempt).verification.secretName).toBe(matched)
    else await expectRejection(attempt, 401, 'signature_mismatch')
    expect(new Set(vi.mocked(mac.verify).mock.calls.map(([key]) => key)).size).toBe(3)
  },
)

test('a key is imported once for a receiver, not for each delivery', async () => {
  const receiver = receiverWith()
  for (let times = 0; times < 3; times++) await receiver.receive(incoming('message.received'))
  expect(mac.verify).toHaveBeenCalledTimes(3)
  expect(mac.importKey).toHaveBeenCalledTimes(1)
})

test('a flood of rejections makes the fingerprint of a secret once', async () => {
  const receiver = receiverWith()
  for (let times = 0; times < 3; times++) {
    const rejected = receiver.receive(incoming('canary message.received'))
    const { detail } = await expectRejection(rejected, 401, 'signature_mismatch')
    expect(detail).toContain(current.fingerprint)
  }
  expect(mac.sha256).toHaveBeenCalledTimes(1)
})

test('a request that is rejected by its head costs no MAC', async () => {
  const receiver = receiverWith({}, () => current.secret)
  const headers = { 'x-webhook-signature': 'sha256=00' }
  const rejected = receiver.receive(incoming('message.received', { headers }))
  await expectRejection(rejected, 401, 'signature_malformed')
  expect(mac.verify).not.toHaveBeenCalled()
  expect(mac.importKey).not.toHaveBeenCalled()
})

describe('the keys of a secret function', () => {
  const settings = { scheme: contract, timeout: 10 }
  const numbered = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => `whsec_${from + index}`)

  /** How many keys are imported when these secrets are asked for, one after the other. */
  async function imports(ring: (secret: string) => unknown, secrets: readonly string[]) {
    vi.mocked(mac.importKey).mockClear()
    for (const secret of secrets) await ring(secret)
    return vi.mocked(mac.importKey).mock.calls.length
  }

  test('are kept for the 1,000 secrets that were used last', async () => {
    const ring = createKeyRing((secret: string) => secret, settings)
    await imports(ring, numbered(0, 1000))
    expect(await imports(ring, ['whsec_0'])).toBe(0)
    expect(await imports(ring, ['whsec_another'])).toBe(1)
    expect(await imports(ring, ['whsec_0'])).toBe(0)
    expect(await imports(ring, ['whsec_1'])).toBe(1)
  })

  test('are kept by name and secret, so that none gets the name of another', async () => {
    const ring = createKeyRing((name: string) => ({ [name]: current.secret }), settings)
    const [blue] = await ring('blue')
    const [green] = await ring('green')
    const [again] = await ring('blue')
    expect([blue?.name, green?.name, again?.name]).toEqual(['blue', 'green', 'blue'])
    expect(again).toBe(blue)
    expect(mac.importKey).toHaveBeenCalledTimes(2)
  })

  test('are imported once for requests at the same time', async () => {
    const ring = createKeyRing(async (secret: string) => secret, settings)
    await Promise.all(Array.from({ length: 10 }, () => ring(current.secret)))
    expect(mac.importKey).toHaveBeenCalledTimes(1)
  })
})
