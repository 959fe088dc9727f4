import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { isChanged } from '@webhook-receiver/checks/changed.mjs'
import { PART } from '@webhook-receiver/checks/lists.mjs'
import { github, standardWebhooks } from '@webhook-receiver/schemes'
import { describe, expect, test } from 'vitest'
import { textReport } from '../../src/doctor/report.ts'
import {
  BASE64,
  BY_PUBLIC_KEY,
  DEFAULT,
  isSigned,
  keyedByHeader,
  over,
  type Parts,
  RIGHT,
  reportOn,
  SERVICES,
  type Service,
} from './receiver-by-hand.ts'

type Needs = (service: Service) => boolean

/** What people write instead, what the doctor calls it, and the services of which it is one. */
type Mistake = readonly [what: string, fault: RegExp, parts: Partial<Parts>, needs?: Needs]

// Without a window of the service, nothing is too old.
const isTimed: Needs = ({ scheme }) => Number.isFinite(scheme.tolerance)
const signsMore: Needs = ({ around }) => around('1', () => '1').join('') !== ''
const signsTime: Needs = ({ around }) => /12/.test(around('12', () => '').join(''))

const text = new TextDecoder()

const MISTAKES: readonly Mistake[] = [
  ['verifies the body as text', /decoded-text/, over((body) => body)],
  ['verifies the text without white space around it', /decoded-text/, over((body) => body.trim())],
  ['verifies other line breaks', /decoded-text/, over((body) => body.replaceAll('\r\n', '\n'))],
  ['verifies other accents', /decoded-text/, over((body) => body.normalize('NFC'))],
  [
    'takes the signature from another header too',
    /other-header/,
    {
      header: ({ headers }, name) =>
        `${headers[name] ?? (/signature|hmac/.test(name) ? headers['x-hub-signature'] : '')}`,
    },
  ],
  ['accepts tomorrow', /future-timestamp/, { fresh: (age) => age <= 300_000 }, isTimed],
  [
    'takes a time that is none',
    /unreadable-timestamp/,
    { fresh: (age) => !(Math.abs(age) > 300_000) },
    isTimed,
  ],
  ['reads the digits in front of the time', /loose-timestamp/, { time: Number.parseInt }, isTimed],
  [
    'verifies only where there is a timestamp',
    /headers-optional|unsigned-accepted/,
    { optional: true },
    signsTime,
  ],
  ['takes a signature of the body alone too', /body-alone/, { also: (body) => [body] }, signsMore],
]

const comparing = (matches: Parts['matches']): Partial<Parts> => ({ matches })

const OF_SECRETS: readonly Mistake[] = [
  [
    'compares as far as the signature goes',
    /prefix-compared/,
    comparing((sent, right) => right.startsWith(sent)),
  ],
  [
    'compares the last 12 characters',
    /prefix-compared|embedded-signature/,
    comparing((sent, right) => sent.slice(-12) === right.slice(-12)),
  ],
  [
    'compares as far as the right one goes',
    /prefix-compared/,
    comparing((sent, right) => sent.startsWith(right)),
  ],
  [
    'looks for the signature',
    /embedded-signature/,
    comparing((sent, right) => sent.includes(right)),
  ],
  [
    'ignores the case of the signature',
    /lenient-signature/,
    comparing((sent, right) => sent.toLowerCase() === right.toLowerCase()),
  ],
  [
    'takes a request without a signature',
    /unsigned-accepted|prefix-compared/,
    comparing((sent, right) => sent === '' || sent === right),
  ],
  ['has no secret', /secret-unset|wrong-secret/, { key: () => 'undefined' }],
  ['takes an empty secret too', /secret-unset/, { empty: true }],
  [
    'decodes the secret once more',
    /verifies-otherwise/,
    { key: (key) => Buffer.from(`${key}`, 'base64') },
    ({ key }) => typeof key === 'string',
  ],
  [
    'does not decode the secret',
    /verifies-otherwise/,
    { key: () => `whsec_${BASE64}` },
    ({ key }) => typeof key !== 'string',
  ],
  [
    'takes the hash from the request',
    /any-hash/,
    { hash: (header) => /sha1|sha512/.exec(header('x-hub-signature-256'))?.[0] ?? 'sha256' },
    ({ scheme }) => scheme === github,
  ],
]

const verifying = (verifies: Parts['verifies']): Partial<Parts> => ({ verifies })

const OF_PUBLIC_KEYS: readonly Mistake[] = [
  [
    'looks at the length of the signature',
    /verifies-nothing/,
    verifying((_, sent) => sent.length > 60),
  ],
  [
    'takes a request without a signature',
    /unsigned-accepted/,
    verifying((signed, sent, key) => sent.length === 0 || isSigned(signed, sent, key)),
  ],
  [
    'takes what its library throws for',
    /unsigned-accepted|prefix-compared/,
    {
      thrown: 204,
      verifies: (signed, sent, key) => {
        if (sent.length < 60) throw new Error('The signature is too short.')
        return isSigned(signed, sent, key)
      },
    },
  ],
  [
    'takes its public key for a secret, too',
    /public-key-as-secret/,
    { verifies: takesMac },
    ({ scheme }) => scheme === standardWebhooks,
  ],
  [
    'reads the signature as far as it goes',
    /prefix-compared|lenient-decoding/,
    { verifies: readsOn },
  ],
]

function takesMac(signed: Buffer, sent: Buffer, key: KeyObject): boolean {
  const bytes = key.export({ type: 'spki', format: 'der' }).subarray(12)
  const mac = createHmac('sha256', bytes).update(signed).digest()
  return mac.equals(sent) || isSigned(signed, sent, key)
}

/** The bytes behind a signature are not looked at. */
function readsOn(signed: Buffer, sent: Buffer, key: KeyObject): boolean {
  const lengths: Readonly<Record<string, number>> = { ed25519: 64, rsa: 256 }
  const length = lengths[`${key.asymmetricKeyType}`] ?? (sent[1] ?? 0) + 2
  return isSigned(signed, sent.subarray(0, length), key)
}

/** Each mistake with the default format, the only fault that it should show, and what the advice is about. */
const SINGLE: readonly (readonly [string, string, Partial<Parts>, RegExp?])[] = [
  ['reserialized-json', 'JSON written again', over(reserialized), /over the raw body/],
  [
    'prefix-compared',
    'the first characters',
    comparing((sent, right) => sent.slice(0, 16) === right.slice(0, 16)),
    /timingSafeEqual/,
  ],
  [
    'any-timestamp',
    'any time',
    { time: (text) => (text === '' ? Number.NaN : Date.now() / 1000) },
    /the default format: 5 minutes/,
  ],
  // A service may sign such a time, so this is no fault of its receivers.
  ['unreadable-timestamp', 'NaN is not too old', { fresh: (age) => !(Math.abs(age) > 300_000) }],
  ['header-id-deduplicated', 'by the header', keyedByHeader, /id in the signed body/],
  [
    'parser-first',
    'a parser in front',
    { plain: (_, body) => JSON.parse(text.decode(body)) && body },
    /before any body parser/,
  ],
  [
    'several-signatures',
    'any of several',
    comparing((sent, right) => sent.replace('sha256=', '').split(', ').includes(right)),
    /more than one X-Webhook-Signature/,
  ],
  ['parse-failure-5xx', 'JSON.parse throws', { thrown: 500 }],
  [
    'unreadable-accepted',
    'all is well',
    { parse: (body) => ({ id: 'none', ...Object(jsonIn(`${body}`)) }) },
  ],
  [
    'inflates',
    'inflated before the MAC',
    {
      plain: (headers, body) => (headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body),
    },
  ],
  ['no-limit', 'no limit', { limit: Number.POSITIVE_INFINITY }, /such as 1 MiB/],
  ['method', 'any method', { method: () => true }],
  ['first-piece-only', 'the first chunk only', { read: firstChunk }],
  ['body-not-read', 'leaving the loop destroys the request', { read: leaving }, /Read and discard/],
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

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function reserialized(body: string): string {
  return JSON.stringify(jsonIn(body)) ?? body
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

async function leaving(...[req, limit]: Parameters<Parts['read']>): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of req) {
    length += chunk.length
    if (length > limit) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** The other forms in which a right receiver is written. */
const ALSO_RIGHT: readonly (readonly [string, (service: Service) => Parts['matches']])[] = [
  [
    'compares bytes in constant time',
    ({ encoding }) =>
      (sent, right) => {
        const [one, other] = [Buffer.from(sent, encoding), Buffer.from(right, encoding)]
        return one.length === other.length && timingSafeEqual(one, other)
      },
  ],
  [
    'compares characters in constant time',
    () => (sent, right) =>
      sent.length === right.length && timingSafeEqual(Buffer.from(sent), Buffer.from(right)),
  ],
]

/** With PART, where the change touches nothing of the doctor: every third row. */
const isFew = PART && !isChanged('packages/cli/')
const isChosen = (_: unknown, row: number) => !isFew || row % 3 === 0

/** Unless all are asked for, each row with one of the services: which, changes from row to row. */
function chosenFor(row: number, services: readonly Service[]): readonly Service[] {
  if (!isChosen(services, row)) return []
  return services.filter((_, at) => process.env.EVERYTHING || at === row % services.length)
}

const nameOf = ({ scheme: { name } }: Service) => name

// The doctor mostly waits, so several examine at a time.
describe.concurrent('the doctor', () => {
  test.each([
    ...ALSO_RIGHT.flatMap(([what, matches], row) =>
      chosenFor(row, SERVICES).map(
        (service) => [nameOf(service), what, service, comparing(matches(service))] as const,
      ),
    ),
    ...[DEFAULT, ...BY_PUBLIC_KEY].map((one) => [nameOf(one), 'verifies', one, {}] as const),
  ])('finds no fault in a receiver of %s that %s', async (_, __, service, parts) => {
    const { faults, notes, results } = await reportOn(service, parts)
    expect(faults).toEqual([])
    // What decodes before it compares takes other spellings of the same bytes, and so do packages of services.
    const others = notes.filter((note) => note.fault !== 'lenient-decoding' && !note.package)
    expect(others).toEqual([])
    if (service === DEFAULT)
      expect(new Set(results.map(({ verdict }) => verdict))).toEqual(new Set(['passed']))
  })

  test.each(
    (
      [
        [MISTAKES, [...SERVICES, ...BY_PUBLIC_KEY]],
        [OF_SECRETS, SERVICES],
        [OF_PUBLIC_KEYS, BY_PUBLIC_KEY],
      ] as const
    ).flatMap(([mistakes, services]) =>
      mistakes.flatMap(([what, fault, parts, needs = () => true], row) =>
        chosenFor(row, services.filter(needs)).map(
          (service) => [nameOf(service), what, service, fault, parts] as const,
        ),
      ),
    ),
  )('names the mistake of a receiver of %s that %s', async (_, __, service, fault, parts) => {
    const { faults, notes } = await reportOn(service, parts)
    // What the service's own package accepts is named below the verdict.
    expect([...faults, ...notes].map((one) => one.fault).join()).toMatch(fault)
  })

  test.each(
    SINGLE.filter(isChosen).map(
      ([fault, what, parts, advice = /./]) => [fault, what, parts, advice] as const,
    ),
  )('names only %s: %s', async (fault, _, mistake, advice) => {
    // Less would fit into the buffers of a connection that nobody reads.
    const options = fault === 'body-not-read' ? { oversize: 10 * RIGHT.limit } : {}
    const report = await reportOn(DEFAULT, mistake, options)
    const fix = expect.stringMatching(advice)
    expect(report.faults).toEqual([expect.objectContaining({ fault, fix })])
    const lines = textReport(report, (_, text) => text).split('\n')
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80)
  })

  const [stripe] = SERVICES as readonly [Service]

  test('says what is wrong in the words of the service', async () => {
    const { faults } = await reportOn(stripe, { fresh: () => true })
    expect(faults[0]?.fix).toContain('Stripe: 5 minutes')
  })

  test('excuses nothing by the package of the service where nothing is verified', async () => {
    const { faults, notes, results } = await reportOn(
      stripe,
      comparing(() => true),
    )
    expect(faults.map(({ fault }) => fault)).toContain('verifies-nothing')
    expect(notes).toEqual([])
    const accepted = results.filter(({ observed }) => observed.every((status) => status === '204'))
    const groups = accepted.filter(({ verdict }) => verdict === 'passed').map(({ group }) => group)
    expect(groups.filter((group) => group === 'forged' || group === 'time')).toEqual([])
  })

  test('counts a valid delivery that is rejected as failed', async () => {
    const { faults, results } = await reportOn(stripe, { signatures: (sent) => sent.slice(0, 1) })
    expect(faults.map(({ fault }) => fault)).toEqual(['first-signature-only'])
    expect(results.find(({ id }) => id === 'valid-rotation')?.verdict).toBe('failed')
  })

  test('names what a receiver verifies instead', async () => {
    const twice = { covered: (_: string, body: Buffer) => Buffer.concat([body, body]) }
    expect((await reportOn(stripe, twice)).faults).toMatchObject([{ fault: 'wrong-secret' }])
    const alone = await reportOn(stripe, { covered: (_, body) => body })
    expect(alone.faults).toMatchObject([
      { fault: 'verifies-otherwise', cause: expect.stringContaining('matches the body alone') },
    ])
  })
})
