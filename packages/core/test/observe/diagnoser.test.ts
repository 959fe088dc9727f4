import { beforeEach, expect, type MockInstance, test, vi } from 'vitest'
import {
  createReceiver,
  type ReceiverOptions,
  type Rejection,
  type SecretSource,
} from '../../src/index.ts'
import type { Diagnosis } from '../../src/internal.ts'
import type { Diagnose } from '../../src/verify/finding.ts'
import { type Changes, current, incoming, NOW, previous, rejectionOf } from '../deliveries.ts'

let log: MockInstance<typeof console.error>

beforeEach(() => {
  log = vi.spyOn(console, 'error').mockReturnValue()
})

const name = 'message.received'
const altered = { body: new Uint8Array(3) }
const malformed = { headers: { 'x-webhook-signature': 'sha256=' } }

/** A diagnosis that takes the length of the body for the cause. */
const measured: Diagnose = async ({ body }) => diagnosisOf(`length_${body?.length ?? 'none'}`)

function diagnosisOf(code: string): Diagnosis {
  return [{ code, certainty: 'certain', message: 'It was measured.', fix: 'Send less.' }]
}

/** A receiver, and the rejections that it reports. */
function receiving(options: ReceiverOptions = {}, source: SecretSource<Request> = current.secret) {
  const reported: Rejection[] = []
  const clock = { time: NOW }
  const receiver = createReceiver(source, {
    now: () => clock.time,
    onRejected: (rejection) => void reported.push(rejection),
    ...options,
  })
  return {
    reported,
    clock,
    codes: () => reported.map(({ diagnosis }) => diagnosis?.[0].code),
    receive: (changes: Changes = altered) => rejectionOf(receiver.receive(incoming(name, changes))),
  }
}

test.each([
  ['development', true],
  ['', false],
])('with NODE_ENV %j the detail says how to get one: %s', async (env, hinted) => {
  vi.stubEnv('NODE_ENV', env)
  const { detail } = await receiving().receive()
  expect(detail.endsWith('install @webhook-receiver/diagnose and pass { diagnose }.')).toBe(hinted)
  const missing = { headers: { 'x-webhook-signature': undefined } }
  expect((await receiving().receive(missing)).detail).not.toContain('diagnose')
  expect((await receiving({ diagnose: measured }).receive()).detail).not.toContain('install')
})

test('detail, onRejected and the default log have the finding', async () => {
  const { reported, receive } = receiving({ diagnose: measured })
  const { detail } = await receive()
  // What is certain refutes every guess.
  expect(detail).toBe('It was measured. Send less. (diagnosis: length_3)')
  expect(reported).toMatchObject([{ detail, diagnosis: [{ code: 'length_3' }] }])
  for (const onRejected of [undefined, false] as const) {
    const other = await receiving({ diagnose: measured, onRejected }).receive()
    expect(other.detail).toBe(detail)
  }
  expect(log.mock.calls).toEqual([[expect.stringContaining(`401 signature_mismatch: ${detail}`)]])
})

test('a finding that is unknown adds nothing to what compares the secrets', async () => {
  const diagnose: Diagnose = async () => [{ ...diagnosisOf('unknown')[0], certainty: 'possible' }]
  const { detail } = await receiving({ diagnose }).receive()
  expect(detail).toMatch(/^Wrong secret, .* No known mistake explains it\. \(diagnosis: unknown\)$/)
})

test('is given the headers, the body and the secrets by name', async () => {
  const diagnose = vi.fn(measured)
  const secrets = { old: previous.secret, new: current.secret }
  for (const source of [current.secret, secrets]) await receiving({ diagnose }, source).receive()
  const { body } = altered
  expect(diagnose.mock.calls).toMatchObject([
    [{ secrets: current.secret, body }],
    [{ secrets, body }],
  ])
  expect(diagnose.mock.lastCall?.[0].headers('X-Webhook-Timestamp')).toBe('1760000000')
})

test.each([
  ['certain', true],
  ['possible', false],
] as const)(
  'a finding that is %s proves that the service signed: %s',
  async (certainty, proven) => {
    const found = { ...diagnosisOf('found')[0], certainty, secretName: 'new' }
    const { reported, receive } = receiving({ diagnose: async () => [found] })
    const { detail } = await receive()
    expect(detail).toContain('It is the secret named "new". (diagnosis: found)')
    expect(reported).toEqual([expect.objectContaining({ signatureValid: false, proven })])
  },
)

test('there is one diagnosis per second, by the clock of the receiver', async () => {
  const { reported, clock, receive } = receiving({ diagnose: measured })
  const diagnosed = async (time: number) => {
    clock.time = time
    await receive()
    return reported.at(-1)?.diagnosis !== undefined
  }
  for (const [later, expected] of [
    [0, true],
    [0, false],
    [999, false],
    [1000, true],
    [1500, false],
    // A clock that was set back, and one that is broken.
    [-3_600_000, true],
    [Number.NaN, false],
  ] as const) {
    expect(await diagnosed(NOW + later), `${later}`).toBe(expected)
  }
})

test('a mismatch in between gets the last finding, and what to do', async () => {
  const { reported, receive } = receiving({ diagnose: measured })
  await receive()
  const { detail } = await receive({ body: new Uint8Array(5) })
  expect(detail).toMatch(
    / the body has 5 bytes.* One request a second is diagnosed: the last one found length_3\.$/,
  )
  expect(reported[1]).not.toHaveProperty('diagnosis')
})

test('a malformed signature is diagnosed at any time, without the body', async () => {
  const { codes, receive } = receiving({ diagnose: measured })
  const readBody = vi.fn(() => new Uint8Array())
  for (const changes of [{ ...malformed, readBody }, malformed, altered, malformed]) {
    await receive(changes)
  }
  expect(codes()).toEqual(['length_none', 'length_none', 'length_3', 'length_none'])
  expect(readBody).not.toHaveBeenCalled()
})

test('no diagnosis begins before the last one has ended, and of many at once one is made', async () => {
  let finish = (_: Diagnosis) => {}
  const diagnose = vi.fn(
    () =>
      new Promise<Diagnosis>((resolve) => {
        finish = resolve
      }),
  )
  const { clock, codes, receive } = receiving({ diagnose })
  const first = receive()
  await expect.poll(() => diagnose).toHaveBeenCalled()
  clock.time = NOW + 5000
  const others = await Promise.all(Array.from({ length: 20 }, () => receive()))
  for (const { detail } of others) expect(detail).toContain('another one is now')
  finish(diagnosisOf('found'))
  await first
  expect(codes()).toEqual([...Array(20).fill(undefined), 'found'])
  expect(diagnose).toHaveBeenCalledTimes(1)
})

test('a diagnosis that rejects changes no response, and is printed once', async () => {
  const diagnose = () => Promise.reject(new Error('no'))
  const { reported, clock, receive } = receiving({ diagnose })
  for (let times = 0; times < 3; times++) {
    clock.time += 1000
    expect(await receive()).toMatchObject({ status: 401, reason: 'signature_mismatch' })
  }
  expect(reported[0]).not.toHaveProperty('diagnosis')
  expect(log.mock.calls).toEqual([[expect.stringMatching(/The diagnosis failed.* Error: no\n/)]])
})
