import { beforeEach, describe, expect, type MockInstance, test, vi } from 'vitest'
import { contract } from '../../src/contract/scheme.ts'
import { createReceiver } from '../../src/index.ts'
import { createStderrReport } from '../../src/reject/stderr-report.ts'
import { current, expectRejection, incoming, NOW, received } from '../deliveries.ts'

let log: MockInstance<typeof console.error>

beforeEach(() => {
  log = vi.spyOn(console, 'error').mockReturnValue()
})

/** A receiver whose clock is set by hand, and two ways to be rejected by it. */
function reporting() {
  const clock = { time: NOW }
  const receiver = createReceiver(current.secret, { now: () => clock.time })
  const remote = () => ({ address: '192.0.2.7' })
  return {
    clock,
    forged: () => {
      const changes = { body: new Uint8Array(0), remote }
      const attempt = receiver.receive(incoming('message.read', changes))
      return expectRejection(attempt, 401, 'signature_mismatch')
    },
    get: () => {
      const attempt = receiver.receive(incoming('message.read', { method: 'GET' }))
      return expectRejection(attempt, 405, 'method_not_allowed')
    },
  }
}

const SITE = 'https://webhook-receiver.github.io/webhook-receiver'
const page = (reason: string, scheme = 'contract/') => `${SITE}/debugger#${scheme}${reason}`
const explained = (reason: string) => `${SITE}/errors#${reason}`

const lines = () => log.mock.calls.map(([line]) => String(line))

const reported = { status: 405, reason: 'method_not_allowed', detail: 'Why.', remote: {} } as const

test.each([
  [true, ' It is in the quarantine.'],
  [false, ' The quarantine did not keep it.'],
])('says whether the request was kept: %s', (quarantined, words) => {
  createStderrReport(() => NOW)({ ...reported, quarantined })
  expect(lines()).toEqual([
    `[webhook-receiver] 405 method_not_allowed: Why.${words} ${explained('method_not_allowed')}`,
  ])
})

test('is one line with status, reason, address, what happened and a link', async () => {
  const { forged, get } = reporting()
  await forged()
  const other = await get()
  expect(log.mock.calls.map(({ length }) => length)).toEqual([1, 1])
  expect(lines()[0]).toBe(
    `[webhook-receiver] 401 signature_mismatch from 192.0.2.7: The body is empty, which the service never signs: did a body parser or redirect take it? ${page('signature_mismatch')}`,
  )
  expect(lines()[1]).toBe(
    `[webhook-receiver] 405 method_not_allowed: ${other.detail} ${explained('method_not_allowed')}`,
  )
  expect(lines().join('')).not.toContain('\n')
})

test('links to the errors where no debugger knows the scheme, such as that of a token', async () => {
  const scheme = { ...contract, value: undefined }
  const receiver = createReceiver('whsec_other', { now: () => NOW, scheme })
  await expectRejection(receiver.receive(incoming('message.read')), 401, 'signature_mismatch')
  expect(lines()[0]).toContain(` ${explained('signature_mismatch')}`)
})

test.each([
  [{ url: '/hooks/a?token=secret#x' }, undefined, ' at /hooks/a'],
  [{ url: '/hooks', address: '192.0.2.7' }, 'billing', ' at billing from 192.0.2.7'],
  [{ url: `/${'x'.repeat(200)}` }, undefined, ` at /${'x'.repeat(38)}…`],
  [{ url: '/\u001b[2J\u202e\n' }, undefined, ' at / [2J '],
  [{ address: '::ffff:192.0.2.7' }, undefined, ' from 192.0.2.7'],
  [{ userAgent: 'webhook-receiver-redrive' }, undefined, ' by webhook-receiver-redrive'],
  [{ userAgent: 'webhook-receiver-redrive: all is well' }, undefined, ''],
])(
  'names the endpoint or else the path, and a tool of ours: %j, endpoint %j',
  (remote, endpoint, place) => {
    createStderrReport(() => NOW)({ ...reported, endpoint, remote })
    expect(lines()).toEqual([
      `[webhook-receiver] 405 method_not_allowed${place}: Why. ${explained('method_not_allowed')}`,
    ])
  },
)

test('names the event and the id of a verified delivery', () => {
  const delivery = { event: 'message.read', id: `${'x'.repeat(500)}\n` }
  createStderrReport(() => NOW)({ ...reported, ...delivery })
  expect(lines()[0]).toMatch(/not_allowed message\.read x{39}…: Why\./)
})

test('is one line, and moves no cursor, where a detail has lines and controls of its own', () => {
  const detail = 'The store failed: no\n[webhook-receiver] 401\r\u001b[2J'
  createStderrReport(() => NOW)({ ...reported, detail })
  expect(lines()).toEqual([
    `[webhook-receiver] 405 method_not_allowed: The store failed: no [webhook-receiver] 401\\u000d\\u001b[2J ${explained('method_not_allowed')}`,
  ])
})

test('has at most 160 characters without its link: first the address goes, then the last sentences', () => {
  const report = (detail: string, more: object = {}) => {
    log.mockClear()
    const remote = { address: '192.0.2.7' }
    createStderrReport(() => NOW)({
      ...{ status: 401, reason: 'signature_mismatch', detail, endpoint: 'stripe', remote },
      ...more,
    })
    return lines()[0]?.replace(` ${page('signature_mismatch', '')}`, '')
  }
  const start = '[webhook-receiver] 401 signature_mismatch at stripe'
  const room = 160 - start.length - ': '.length
  const fits = `${'x'.repeat(room - ' from 192.0.2.7'.length - 1)}.`
  expect(report(fits)).toBe(`${start} from 192.0.2.7: ${fits}`)
  expect(report(`x${fits}`)).toBe(`${start}: x${fits}`)
  const first = `Cause${'x'.repeat(room - 20)}.`
  expect(report(`${first} Next. It verified none.`)).toBe(`${start}: ${first} Next.`)
  expect(report('x'.repeat(room - 9), { event: 'an.event' })).toContain(' an.event: x')
  expect(report('x'.repeat(500))).toBe(`${start}: ${'x'.repeat(room - 1)}…`)
  expect(report(fits, { quarantined: false })).toHaveLength(160)
  expect(report('x'.repeat(500), { diagnosis: [{}] })).toMatch(/ from 192\.0\.2\.7: x{500}$/)
})

test('is one line a reason and minute, and then says how many were held back', async () => {
  const { clock, forged, get } = reporting()
  const linesAfter = async (time: number, reject: () => Promise<unknown>, times = 1) => {
    clock.time = NOW + time
    for (let count = 0; count < times; count++) await reject()
    return lines().length
  }
  expect([
    await linesAfter(0, forged, 5),
    await linesAfter(0, get),
    await linesAfter(59_999, forged),
    await linesAfter(60_000, forged, 2),
    await linesAfter(119_999, forged),
    await linesAfter(120_000, forged),
    await linesAfter(200_000, forged),
  ]).toEqual([1, 2, 2, 3, 3, 4, 5])
  const more = lines().map((line) => / \((\d) more since the last one\)$/.exec(line)?.[1])
  expect(more).toEqual([undefined, undefined, '5', '2', undefined])
})

test('each cause of a reason has a line, five a minute', () => {
  const report = createStderrReport(() => NOW)
  const missing = (detail: string, code?: string) =>
    report({
      ...{ status: 401, reason: 'signature_missing', detail, remote: {} },
      diagnosis: code === undefined ? undefined : [{ code }],
    })
  missing('It is missing.')
  missing('It is missing. Then something else.')
  missing('It looks like GitHub.')
  missing('It has 12 bytes (https://example.com/1).')
  missing('It has 13 bytes (https://example.com/2).')
  expect(lines()).toHaveLength(3)
  missing('It is missing.', 'header_renamed')
  for (let count = 0; count < 1000; count++) missing(`It is ${'x'.repeat(count)}.`)
  expect(lines()).toHaveLength(5)
})

test('goes on where the clock was set back', async () => {
  const { clock, forged } = reporting()
  await forged()
  clock.time = NOW - 3_600_000
  await forged()
  expect(lines()).toHaveLength(2)
})

describe('how many were held back is logged when the minute is over', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  })

  test('once, without another rejection, and the next one is shown at once', async () => {
    const { clock, forged, get } = reporting()
    for (let times = 0; times < 5; times++) await forged()
    expect(vi.getTimerCount(), 'one timer, however many were held back').toBe(1)
    for (let times = 0; times < 3; times++) await get()
    clock.time = NOW + 59_999
    vi.advanceTimersByTime(59_999)
    expect(lines()).toHaveLength(2)
    clock.time = NOW + 60_000
    vi.advanceTimersByTime(1)
    expect(lines().slice(2)).toEqual([
      '[webhook-receiver] 4 more 401 signature_mismatch in the last minute.',
      '[webhook-receiver] 2 more 405 method_not_allowed in the last minute.',
    ])
    await forged()
    expect(lines()).toHaveLength(5)
    expect(lines()[4]).not.toContain('more since')
    vi.advanceTimersByTime(600_000)
    expect(lines()).toHaveLength(5)
  })

  test('with the place of the first', () => {
    const report = createStderrReport(() => NOW)
    for (const url of ['/a?token=secret', '/b?token=secret', '/c'])
      report({ ...reported, remote: { url } })
    vi.advanceTimersByTime(60_000)
    expect(lines()[1]).toBe(
      '[webhook-receiver] 2 more 405 method_not_allowed in the last minute, first at /b.',
    )
  })
})

test('where timers are numbers, as on Deno, they do not keep the process alive', async () => {
  const unrefTimer = vi.fn()
  vi.stubGlobal('Deno', { unrefTimer })
  vi.stubGlobal('setTimeout', () => 7)
  const { forged } = reporting()
  await forged()
  await forged()
  expect(unrefTimer).toHaveBeenCalledExactlyOnceWith(7)
})

describe('in development', () => {
  beforeEach(() => {
    vi.stubEnv('NODE_ENV', 'development')
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  })

  /** A receiver, and rejections whose details differ by the length of the body. */
  function developing() {
    const clock = { time: NOW }
    const receiver = createReceiver(current.secret, { now: () => clock.time })
    const forged = (length: number) =>
      expectRejection(
        receiver.receive(incoming('message.read', { body: new Uint8Array(length) })),
        401,
        'signature_mismatch',
      )
    return { clock, forged }
  }

  test('each rejection is shown, a cause at first with all of its detail in lines of 80 characters', async () => {
    const { clock, forged } = developing()
    for (const length of [0, 0, 1, 0]) {
      await forged(length)
      clock.time += 200
    }
    expect(lines()).toHaveLength(4)
    const [, ...rest] = String(lines()[0]).split('\n')
    expect(rest.join(' ').replace(/\s+/g, ' ')).toMatch(/did a body parser .* https:/)
    expect(rest.slice(0, -1).filter((line) => line.length > 80)).toEqual([])
    expect(rest.at(-1)?.trim()).toBe(page('signature_mismatch'))
    // Of the four, the third has another cause.
    expect(lines().map((line) => line.includes('\n'))).toEqual([true, false, true, false])
    expect(lines()[1]).toBe(
      '[webhook-receiver] 401 signature_mismatch: The body is empty, which the service never signs: did a body parser or redirect take it?',
    )
    expect(vi.getTimerCount()).toBe(0)
  })

  test('whether the request was kept is within the 80 characters, too', () => {
    const detail = 'x '.repeat(38)
    createStderrReport(() => NOW)({ ...reported, detail, quarantined: true })
    const [, ...rest] = String(lines()[0]).split('\n').slice(0, -1)
    expect(rest.at(-1)).toContain('quarantine.')
    expect(rest.filter((line) => line.length > 80)).toEqual([])
  })

  test('of one detail five a second, and then what differs, ten in all', async () => {
    const { clock, forged } = developing()
    for (let times = 0; times < 8; times++) await forged(0)
    expect(lines()).toHaveLength(5)
    for (let length = 1; length < 20; length++) await forged(length)
    expect(lines()).toHaveLength(10)
    expect(
      lines()
        .map((line) => line.includes('\n'))
        .indexOf(true, 1),
    ).toBe(5)
    expect(lines()[5]?.replace(/\s+/g, ' ')).toContain('the body has 1 byte.')

    vi.advanceTimersByTime(1000)
    clock.time = NOW + 1000
    expect(lines()[10]).toBe(
      '[webhook-receiver] 17 more 401 signature_mismatch in the last second.',
    )
    await forged(0)
    expect(lines()).toHaveLength(12)
    expect(lines()[11]).not.toContain('more since')
  })
})

test('is silenced by false', async () => {
  await expectRejection(received('array'), 400, 'envelope_invalid')
  expect(log).not.toHaveBeenCalled()
})
