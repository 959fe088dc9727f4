import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { diagnose } from '../src/index.ts'
import { MAX_BODY } from '../src/request/request-parts.ts'
import { MAX_JSON } from '../src/text/json-text.ts'
import { createPace, WORK_PER_TURN } from '../src/text/pace.ts'
import { SLICE } from '../src/text/slices.ts'
import { BODY, type Produced, produced } from './produced.ts'

/** Functions of which some take hundreds of nanoseconds for a character, or even quadratic time. */
const SLOW: readonly (readonly [owner: object, name: string])[] = [
  [String.prototype, 'replace'],
  [String.prototype, 'replaceAll'],
  [String.prototype, 'split'],
  [TextDecoder.prototype, 'decode'],
  [globalThis, 'encodeURIComponent'],
  [globalThis, 'decodeURIComponent'],
  [globalThis, 'atob'],
  [globalThis, 'btoa'],
]

/** What slow functions were given, in characters or bytes: in one call, and from one turn of other work to the next. */
const given = { atOnce: 0, sinceTurn: 0, betweenTurns: 0, turns: 0 }
/** What JSON.parse was given that is more than one string. */
let parsed = 0

function watch(owner: object, name: string, tell: (subject: string | Uint8Array) => void): void {
  const original: unknown = Reflect.get(owner, name)
  if (typeof original !== 'function') throw new TypeError(`There is no ${name}.`)
  const watched = function (this: unknown, ...values: readonly unknown[]): unknown {
    const subject = typeof this === 'string' ? this : values[0]
    if (typeof subject === 'string' || subject instanceof Uint8Array) tell(subject)
    return Reflect.apply(original, this, values)
  }
  Reflect.set(owner, name, watched)
  restore.push(() => Reflect.set(owner, name, original))
}

const restore: (() => void)[] = []

beforeEach(() => {
  Object.assign(given, { atOnce: 0, sinceTurn: 0, betweenTurns: 0, turns: 0 })
  parsed = 0
  for (const [owner, name] of SLOW) {
    watch(owner, name, ({ length }) => {
      given.atOnce = Math.max(given.atOnce, length)
      given.sinceTurn += length
      given.betweenTurns = Math.max(given.betweenTurns, given.sinceTurn)
    })
  }
  watch(JSON, 'parse', (text) => {
    if (!String(text).startsWith('"')) parsed = Math.max(parsed, text.length)
  })
  const { setImmediate: soon } = globalThis
  Reflect.set(globalThis, 'setImmediate', (turn: () => void) =>
    soon(() => {
      given.sinceTurn = 0
      given.turns++
      turn()
    }),
  )
  restore.push(() => Reflect.set(globalThis, 'setImmediate', soon))
})

afterEach(() => {
  for (const undo of restore.splice(0)) undo()
})

const forged = { 'X-Webhook-Signature': `sha256=${'ab'.repeat(32)}` }
const unmatched = (fault: Produced) => diagnose(produced({ headers: forged, ...fault }))

/** Above the bound of JSON that is written in every form. */
const LONG = 150_000

describe('a step of a diagnosis gives slow functions one slice, and other work its turn after a few', () => {
  test.each([
    ['letters', 'abcd efg'.repeat(LONG / 8)],
    ['combining marks out of order', '\u0301\u0316'.repeat(LONG / 4)],
    ['line breaks', '\r\n'.repeat(LONG / 2)],
    ['percent-encoded characters', '%F0%9F%98%80'.repeat(LONG / 12)],
    ['bytes that are not UTF-8', new Uint8Array(LONG).fill(0x80)],
    ['JSON of many tokens', `[${'{"b":"","a":[]},'.repeat(MAX_JSON / 16 - 1)}1]`],
    ['JSON of one string', `["${'é</\\"'.repeat(MAX_JSON / 6 - 1)}"]`],
    [
      'JSON of many items, deep inside',
      `${'['.repeat(3000)}${'1,'.repeat(60_000)}1${']'.repeat(3000)}`,
    ],
  ])('where the body is %s', async (_, body) => {
    await unmatched({ body })
    expect(given.atOnce).toBeLessThanOrEqual(SLICE)
    expect(given.betweenTurns).toBeLessThanOrEqual(8 * SLICE)
    expect(given.turns).toBeGreaterThan(10)
    expect(parsed).toBeLessThanOrEqual(MAX_JSON)
  })
})

describe('of a header, 2,048 characters are read', () => {
  let longest = 0
  beforeEach(() => {
    longest = 0
    watch(RegExp.prototype, 'exec', ({ length }) => {
      longest = Math.max(longest, length)
    })
  })

  test.each(['X-Webhook-Signature', 'X-Webhook-Timestamp', 'X-Webhook-Id', 'Content-Encoding'])(
    '%s',
    async (name) => {
      for (const part of [' ', ',', ' ,', 'a', '1', '="']) {
        const value = `sha256=${part.repeat(14_000 / part.length)}x`
        const found = await unmatched({ headers: { ...forged, [name]: value } })
        expect(found.at(-1)).toMatchObject({
          code: 'unfinished',
          message: expect.stringContaining(
            `only the first 2048 characters of ${name.toLowerCase()} were read`,
          ),
        })
      }
      // A part and the next one, of which there may be none.
      expect(longest).toBeLessThanOrEqual(2048 + ',undefined'.length)
      expect(given.atOnce).toBeLessThanOrEqual(2048)
    },
  )
})

describe('a form that takes slices gives what one step would', () => {
  const text = `{"a":"é😀e\u0301 %\r\n+/<\u2028\\u00e9\\"€","b":[1.50,{}]}`
  const body = `[${Array.from({ length: 4000 }, (_, at) => text + ' '.repeat(at % 7)).join()}]`
  const latin1 = Buffer.from(body).toString('latin1')
  const json = body.replaceAll('\r\n', '')
  // In these, a slice ends inside a line break or a string.
  const lines = `[${'\r\n '.repeat(SLICE)}1]`
  const string = 'é</\\"\\\\'.repeat(3000)
  const quotes = string.replaceAll('\\"', '\\u0022')
  const escaped = quotes.replaceAll('<', '\\u003C').replaceAll('é', '\\u00E9')

  test.each<[code: string, came: string, signed: string | Uint8Array]>([
    ['body_line_breaks', body, body.replaceAll('\r\n', '\n')],
    ['body_line_breaks', lines, lines.replaceAll('\r\n', '\n')],
    ['body_recoded', body, Buffer.from(latin1)],
    ['body_recoded', latin1, body],
    ['body_base64', Buffer.from(body).toString('base64url'), body],
    ['body_reserialized', json, JSON.stringify(JSON.parse(json))],
    ['body_reserialized', json, JSON.stringify(JSON.parse(json), null, 2)],
    ['body_escapes', `["${string}"]`, `["${escaped}"]`],
  ])('%s: %#', async (code, came, signedBody) => {
    expect(body.length).toBeGreaterThan(MAX_JSON)
    expect(await diagnose(produced({ body: came, signedBody }))).toMatchObject([{ code }])
  })
})

describe('the pace', () => {
  test('gives a turn before a step that is too much for the present one', async () => {
    const pace = createPace()
    expect(pace(WORK_PER_TURN)).toBeUndefined()
    const turn = pace(1)
    expect(turn).toBeInstanceOf(Promise)
    await turn
    expect(given.turns).toBe(1)
    expect(pace(WORK_PER_TURN - 1)).toBeUndefined()
    expect(pace(1)).toBeInstanceOf(Promise)
  })

  test('waits for a timer where there is no setImmediate', async () => {
    Reflect.set(globalThis, 'setImmediate', undefined)
    const timer = vi.spyOn(globalThis, 'setTimeout')
    const pace = createPace()
    pace(WORK_PER_TURN)
    await pace(1)
    expect(timer).toHaveBeenCalledExactlyOnceWith(expect.any(Function), 0)
  })
})

test('a body of 128 KiB is diagnosed to the end within the budget', async () => {
  const body = `${'x'.repeat(MAX_BODY / 8 - BODY.length)}${BODY}`
  expect(await unmatched({ body })).toMatchObject([{ code: 'unknown' }])
})
