import { beforeEach, describe, expect, type MockInstance, test, vi } from 'vitest'
import { contract } from '../../src/contract/scheme.ts'
import { createReceiver } from '../../src/index.ts'
import { createStderrReport } from '../../src/reject/stderr-report.ts'
import { current, expectRejection, incoming, NOW, receiverWith } from '../deliveries.ts'

let log: MockInstance<typeof console.error>

beforeEach(() => {
  log = vi.spyOn(console, 'error').mockReturnValue()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})

const SITE = 'https://webhook-receiver.github.io/webhook-receiver'
const page = `${SITE}/debugger#contract/signature_mismatch`

const lines = () => log.mock.calls.map(([line]) => String(line))

type Reported = Parameters<ReturnType<typeof createStderrReport>>[0]

/** A report whose clock is set by hand. */
function reporting() {
  const clock = { time: NOW }
  const write = createStderrReport(() => clock.time)
  const base = { status: 405, reason: 'method_not_allowed', detail: 'Why.', remote: {} } as const
  return { clock, report: (given: Partial<Reported> = {}) => write({ ...base, ...given }) }
}

test.each([
  [{ quarantined: true }, ': Why. Quarantined.'],
  [{ quarantined: false }, ': Why. Not quarantined.'],
  [{ remote: { url: '/hooks/a?token=secret#x' } }, ' at /hooks/a: Why.'],
  [
    { remote: { url: '/hooks', address: '192.0.2.7' }, endpoint: 'billing' },
    ' at billing from 192.0.2.7: Why.',
  ],
  [{ remote: { url: `/${'x'.repeat(39)}` } }, ` at /${'x'.repeat(39)}: Why.`],
  [{ remote: { url: `/${'x'.repeat(200)}` } }, ` at /${'x'.repeat(38)}…: Why.`],
  [{ remote: { url: '/\u001b[2J\u202e\n' } }, ' at / [2J : Why.'],
  [{ remote: { address: '::ffff:192.0.2.7' } }, ' from 192.0.2.7: Why.'],
  [{ remote: { userAgent: 'webhook-receiver-redrive' } }, ' by webhook-receiver-redrive: Why.'],
  [{ remote: { userAgent: 'webhook-receiver-redrive: all is well' } }, ': Why.'],
  [{ event: 'message.read', id: `${'x'.repeat(500)}\n` }, ` message.read ${'x'.repeat(39)}…: Why.`],
  [
    { detail: 'No\n[webhook-receiver] 401\r\u001b[2J' },
    ': No [webhook-receiver] 401\\u000d\\u001b[2J',
  ],
])('is one line with what is known of the request: %j', (given, line) => {
  reporting().report(given)
  const link = `${SITE}/errors#method_not_allowed`
  expect(log.mock.calls).toEqual([[`[webhook-receiver] 405 method_not_allowed${line} ${link}`]])
})

test('of a receiver leads to the debugger, or to the errors if that does not know the scheme', async () => {
  const empty = { body: new Uint8Array(0) }
  for (const scheme of [contract, { ...contract, name: 'own' }]) {
    const receiver = createReceiver(current.secret, { now: () => NOW, scheme })
    const attempt = receiver.receive(incoming('message.read', empty))
    await expectRejection(attempt, 401, 'signature_mismatch')
  }
  const line =
    '[webhook-receiver] 401 signature_mismatch: The body is empty, which the service never signs: did a body parser or redirect take it?'
  expect(lines()).toEqual([`${line} ${page}`, `${line} ${SITE}/errors#signature_mismatch`])
  const silent = receiverWith({ onRejected: false }).receive(incoming('message.read', empty))
  await expectRejection(silent, 401, 'signature_mismatch')
  expect(log).toHaveBeenCalledTimes(2)
})

test('has at most 160 characters without its link: first the address goes, then the last sentences', () => {
  const lineOf = (detail: string, more: Partial<Reported> = {}) => {
    const remote = { address: '192.0.2.7' }
    const { report } = reporting()
    report({ detail, endpoint: 'stripe', remote, ...more })
    return lines().at(-1)?.split(' https:')[0]
  }
  const start = '[webhook-receiver] 405 method_not_allowed at stripe'
  const room = 160 - start.length - ': '.length
  const fits = `${'x'.repeat(room - ' from 192.0.2.7'.length - 1)}.`
  expect(lineOf(fits)).toBe(`${start} from 192.0.2.7: ${fits}`)
  expect(lineOf(`x${fits}`)).toBe(`${start}: x${fits}`)
  const first = `Cause${'x'.repeat(room - 20)}.`
  expect(lineOf(`${first} Next. It verified none.`)).toBe(`${start}: ${first} Next.`)
  expect(lineOf('x'.repeat(room - 9), { event: 'an.event' })).toContain(' an.event: x')
  expect(lineOf('x'.repeat(500))).toBe(`${start}: ${'x'.repeat(room - 1)}…`)
  expect(lineOf(fits, { quarantined: false })).toHaveLength(160)
  expect(lineOf('x'.repeat(500), { diagnosis: [{ code: 'a' }] })).toMatch(/2\.0\.2\.7: x{500}$/)
})

const other = { status: 401, reason: 'signature_missing' } as const

test('is one line a reason and minute, and then says how many were held back', () => {
  const { clock, report } = reporting()
  const linesAfter = (time: number, given = {}, times = 1) => {
    clock.time = NOW + time
    for (let count = 0; count < times; count++) report(given)
    return lines().length
  }
  expect([
    linesAfter(0, {}, 5),
    linesAfter(0, other),
    linesAfter(59_999),
    linesAfter(60_000, {}, 2),
    linesAfter(119_999),
    linesAfter(120_000),
    linesAfter(200_000),
    // A clock that was set back.
    linesAfter(-3_600_000),
  ]).toEqual([1, 2, 2, 3, 3, 4, 5, 6])
  const more = lines().map((line) => / \((\d) more since the last one\)$/.exec(line)?.[1])
  expect(more).toEqual([undefined, undefined, '5', '2', undefined, undefined])
})

test('each cause of a reason has a line, five a minute', () => {
  const { report } = reporting()
  for (const detail of [
    ...['It is missing.', 'It is missing. Then something else.', 'It looks like GitHub.'],
    ...['It has 12 bytes (https://a.test/1).', 'It has 13 bytes (https://a.test/2).'],
  ]) {
    report({ detail })
  }
  expect(lines()).toHaveLength(3)
  report({ detail: 'It is missing.', diagnosis: [{ code: 'header_renamed' }] })
  for (let count = 0; count < 1000; count++) report({ detail: `It is ${'x'.repeat(count)}.` })
  expect(lines()).toHaveLength(5)
})

test('how many were held back is logged once when the minute is over, with the place of the first', () => {
  const { clock, report } = reporting()
  for (const url of ['/a?token=secret', '/b?token=secret', '/c']) report({ remote: { url } })
  expect(vi.getTimerCount(), 'one timer, however many were held back').toBe(1)
  for (let times = 0; times < 5; times++) report(other)
  vi.advanceTimersByTime(59_999)
  expect(lines()).toHaveLength(2)
  clock.time += 60_000
  vi.advanceTimersByTime(1)
  expect(lines().slice(2)).toEqual([
    '[webhook-receiver] 2 more 405 method_not_allowed in the last minute, first at /b.',
    '[webhook-receiver] 4 more 401 signature_missing in the last minute.',
  ])
  report()
  vi.advanceTimersByTime(600_000)
  expect(lines()).toHaveLength(5)
  expect(lines()[4]).not.toContain('more since')
})

test('of those that were held back, the first is named by its event and id', () => {
  const { report } = reporting()
  for (const id of ['evt_1', 'evt_2', 'evt_3']) report({ endpoint: 'stripe', event: 'a.b', id })
  vi.advanceTimersByTime(60_000)
  expect(lines().at(-1)).toMatch(/ 2 more .* in the last minute, first at stripe a\.b evt_2\.$/)
})

test('where timers are numbers, as on Deno, they do not keep the process alive', () => {
  const unrefTimer = vi.fn()
  vi.stubGlobal('Deno', { unrefTimer })
  vi.stubGlobal('setTimeout', () => 7)
  const { report } = reporting()
  for (let times = 0; times < 3; times++) report()
  expect(unrefTimer).toHaveBeenCalledExactlyOnceWith(7)
})

describe('in development', () => {
  beforeEach(() => {
    vi.stubEnv('NODE_ENV', 'development')
  })

  const long = `It is missing. ${'A proxy took it. '.repeat(9)}`
  const isLong = () => lines().map((line) => line.includes('\n'))

  test('each rejection is shown, a cause at first with all of its detail in lines of 80 characters', () => {
    const { clock, report } = reporting()
    for (const detail of [long, long, 'Why.', long]) {
      report({ ...other, detail, scheme: 'contract' })
      clock.time += 200
    }
    expect(isLong()).toEqual([true, false, true, false])
    const rest = String(lines()[0]).split('\n').slice(1)
    expect(rest.filter((line) => line.length > 80)).toEqual([
      `  ${SITE}/debugger#contract/signature_missing`,
    ])
    expect(rest.join(' ').replace(/\s+/g, ' ')).toContain(` ${long}https:`)
    const brief = String(lines()[1])
    expect(brief).toMatch(/^\[webhook-receiver\] 401 signature_missing: It is missing\. A .*it\.$/)
    expect(brief.length).toBeLessThanOrEqual(160)
    expect(vi.getTimerCount()).toBe(0)
  })

  test('a failure of the application shows where it was thrown, and a rejection does not', () => {
    const { report } = reporting()
    const cause = new Error('secret content')
    report({ status: 500, reason: 'schema_failed', detail: 'It threw.', cause })
    report({ ...other, detail: 'It is missing.', cause })
    const [failed, rejected] = lines().map(String)
    expect(failed).toMatch(
      /\n {2}It threw\.\n\s+at .*stderr-report\.test\.ts:\d+:\d+\)?\n {2}https:/,
    )
    expect(failed).not.toContain('secret content')
    expect(rejected).not.toMatch(/\n\s+at /)
  })

  test('whether the request was kept is within the 80 characters, too', () => {
    reporting().report({ detail: 'x '.repeat(38), quarantined: true })
    const [, ...rest] = String(lines()[0]).split('\n').slice(0, -1)
    expect(rest.at(-1)).toContain('Quarantined.')
    expect(rest.filter((line) => line.length > 80)).toEqual([])
  })

  test('of one detail five a second, and then what differs, ten in all', () => {
    const { clock, report } = reporting()
    for (let times = 0; times < 8; times++) report()
    expect(lines()).toHaveLength(5)
    for (let length = 1; length < 20; length++) report({ detail: `${'x'.repeat(length)}.` })
    expect(isLong()).toEqual([true, ...Array(4).fill(false), ...Array(5).fill(true)])
    vi.advanceTimersByTime(1000)
    clock.time += 1000
    expect(lines()[10]).toBe(
      '[webhook-receiver] 17 more 405 method_not_allowed in the last second.',
    )
    report()
    expect(lines()).toHaveLength(12)
    expect(lines()[11]).not.toContain('more since')
  })
})
