import { PART } from '@webhook-receiver/checks/lists.mjs'
import { expect, test } from 'vitest'
import { textReport } from '../../src/doctor/report.ts'
import { doctorReport } from './doctor-report.ts'
import { COMMON, gunzipped, type Parts, read, rightParts, startFaulty } from './faulty-receiver.ts'

const text = new TextDecoder()

/** Each mistake, and the only fault that it should show. */
const MISTAKES: readonly (readonly [fault: string, what: string, Partial<Parts>])[] = [
  ...Object.entries(COMMON).map(([fault, mistake]) => [fault, 'often made', mistake] as const),
  ['verifies-nothing', 'any signature will do', { matches: () => true }],
  ['decoded-text', 'the MAC over text', { covered: (at, body) => over(at, text.decode(body)) }],
  ['decoded-text', 'trimmed text', { covered: (at, body) => over(at, body.toString().trim()) }],
  ['lenient-signature', 'any case', { matches: (sent, right) => sent?.toLowerCase() === right }],
  [
    'several-signatures',
    'any of several',
    { matches: (sent, right) => sent?.split(', ').includes(right) === true },
  ],
  [
    'headers-optional',
    'no signature, no check',
    { matches: (sent, right) => sent === undefined || sent === right },
  ],
  ['prefix-compared', 'what was sent', { matches: (sent, right) => right.startsWith(sent ?? '-') }],
  [
    'future-timestamp',
    'only the past is bounded',
    { fresh: (at) => Date.now() / 1000 - Number(at ?? Number.NaN) <= 300 },
  ],
  [
    'unreadable-timestamp',
    'NaN is not too old',
    { fresh: (at) => at !== undefined && !(Math.abs(Date.now() / 1000 - Number(at)) > 300) },
  ],
  ['parse-failure-5xx', 'JSON.parse throws', { parse: (body) => JSON.parse(body.toString()).id }],
  ['unreadable-accepted', 'all is well', { parse: (body) => rightParts.parse(body) ?? 'none' }],
  ['inflates', 'inflated before the MAC', { plain: gunzipped }],
  ['no-limit', 'no limit', { read: (req) => read(req, Number.POSITIVE_INFINITY) }],
  ['method', 'any method', { method: () => true }],
  ['first-piece-only', 'the first chunk only', { read: firstChunk }],
  [
    'body-not-read',
    'leaving the loop destroys the request',
    {
      read: async (req) => {
        const chunks: Buffer[] = []
        let length = 0
        for await (const chunk of req) {
          length += chunk.length
          if (length > 1_048_576) return undefined
          chunks.push(chunk)
        }
        return Buffer.concat(chunks)
      },
    },
  ],
  [
    'not-deduplicated',
    'every delivery is handled',
    { handle: (id, runs) => runs.set(id, (runs.get(id) ?? 0) + 1) },
  ],
  ['not-handled', 'nothing is handled', { handle: () => {} }],
  [
    'handler-fails',
    'the handler throws',
    {
      handle: () => {
        throw new Error('on purpose')
      },
    },
  ],
]

/** What the advice against the most frequent ones is about. */
const FIXES: Readonly<Record<string, RegExp>> = {
  'reserialised-json': /over the raw body/,
  'prefix-compared': /timingSafeEqual/,
  'any-timestamp': /the default format: 5 minutes/,
  'header-id-deduplicated': /id in the signed body/,
  'parser-first': /before any body parser/,
  'body-not-read': /Read and discard/,
}

/** In CI, `handwritten.test.ts` has the rest in another form. */
const CHOSEN = MISTAKES.filter((_, at) => !PART || at % 6 === 0)

test.each(CHOSEN)('%s: %s', async (fault, _, mistake) => {
  const url = await startFaulty(mistake)
  // That one never responds to some of the probes.
  const patience = mistake === COMMON['body-not-read'] && { timeout: 10 }
  const report = await doctorReport(url, { observe: new URL('/runs', url).href, ...patience })
  const fix = expect.stringMatching(FIXES[fault] ?? '')
  expect(report.faults).toEqual([expect.objectContaining({ fault, fix })])
  const lines = textReport(report, (_, text) => text).split('\n')
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80)
})

test('secret-unset: a receiver with an empty secret', async () => {
  const url = await startFaulty({}, '')
  const faults = (await doctorReport(url)).faults.map(({ fault }) => fault)
  expect(faults).toEqual(expect.arrayContaining(['secret-unset']))
})

function over(timestamp: string, body: string): Buffer {
  return Buffer.from(`${timestamp}.${body}`)
}

function firstChunk(req: Parameters<Parts['read']>[0]): Promise<Buffer> {
  return new Promise((resolve) => {
    req.once('data', (chunk) => {
      resolve(chunk)
      req.resume()
    })
    req.once('end', () => resolve(Buffer.alloc(0)))
  })
}
