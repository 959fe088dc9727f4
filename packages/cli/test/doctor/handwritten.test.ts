import { createHmac, createPublicKey, type KeyObject, timingSafeEqual, verify } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as schemes from '@webhook-receiver/schemes'
import { keyPairFor } from '@webhook-receiver/schemes/services'
import { expect, test } from 'vitest'
import { type Report, runDoctor } from '../../src/doctor/run-doctor.ts'
import { PATIENCE } from './doctor-report.ts'

const TEXT = 'YSBzZWNyZXQgdGhhdCBpcyBsb25n'
const BASE64 = 'MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY='

/** A service, as somebody reads it on its page and writes the code by hand. */
interface Service {
  readonly scheme: keyof typeof schemes
  /** What signs. */
  readonly secret: string
  /** What verifies. */
  readonly key: string | Buffer | KeyObject
  readonly encoding: 'hex' | 'base64'
  /** The signatures as they were sent, without their prefix, and the time as text. */
  read(header: (name: string) => string): readonly [signatures: readonly string[], time: string]
  /** What is signed in front of the body, and behind it. */
  around(time: string, header: (name: string) => string): readonly [string, string]
  /** The unit of the time in milliseconds; none without a window. */
  readonly unit?: number
}

const SERVICES: readonly Service[] = [
  {
    scheme: 'stripe',
    ...{ secret: 'whsec_handwritten', key: 'whsec_handwritten', encoding: 'hex', unit: 1000 },
    read: (header) => {
      const text = header('stripe-signature')
      const signatures = [...text.matchAll(/(?:^|,)v1=([^,]*)/g)].map(([, one = '']) => one)
      return [signatures, /t=([^,]*)/.exec(text)?.[1] ?? '']
    },
    around: (time) => [`${time}.`, ''],
  },
  {
    scheme: 'github',
    ...{ secret: TEXT, key: TEXT, encoding: 'hex' },
    read: (header) => [[header('x-hub-signature-256').replace(/^sha\d+=/, '')], ''],
    around: () => ['', ''],
  },
  {
    scheme: 'slack',
    ...{ secret: TEXT, key: TEXT, encoding: 'hex', unit: 1000 },
    read: (header) => [
      [header('x-slack-signature').replace(/^v0=/, '')],
      header('x-slack-request-timestamp'),
    ],
    around: (time) => [`v0:${time}:`, ''],
  },
  {
    scheme: 'standardWebhooks',
    ...{ secret: `whsec_${BASE64}`, key: Buffer.from(BASE64, 'base64'), encoding: 'base64' },
    unit: 1000,
    read: (header) => [
      header('webhook-signature')
        .split(' ')
        .map((one) => one.replace(/^v1,/, '')),
      header('webhook-timestamp'),
    ],
    around: (time, header) => [`${header('webhook-id')}.${time}.`, ''],
  },
  {
    scheme: 'shopify',
    ...{ secret: TEXT, key: TEXT, encoding: 'base64' },
    read: (header) => [[header('x-shopify-hmac-sha256')], ''],
    around: () => ['', ''],
  },
  {
    scheme: 'zoom',
    ...{ secret: TEXT, key: TEXT, encoding: 'hex', unit: 1000 },
    read: (header) => [
      [header('x-zm-signature').replace(/^v0=/, '')],
      header('x-zm-request-timestamp'),
    ],
    around: (time) => [`v0:${time}:`, ''],
  },
]

/** Services that share no secret: a key pair of the test signs and verifies. */
const BY_PUBLIC_KEY: readonly Service[] = [
  {
    ...paired('telnyx'),
    ...{ encoding: 'base64', unit: 1000 },
    read: (header) => [[header('telnyx-signature-ed25519')], header('telnyx-timestamp')],
    around: (time) => [`${time}|`, ''],
  },
  {
    ...paired('sendgrid'),
    encoding: 'base64',
    read: (header) => [
      [header('x-twilio-email-event-webhook-signature')],
      header('x-twilio-email-event-webhook-timestamp'),
    ],
    around: (time) => [time, ''],
  },
  {
    ...paired('wise'),
    encoding: 'base64',
    read: (header) => [[header('x-signature-sha256')], ''],
    around: () => ['', ''],
  },
  {
    ...paired('discordInteractions'),
    ...{ encoding: 'hex', unit: 1000 },
    read: (header) => [[header('x-signature-ed25519')], header('x-signature-timestamp')],
    around: (time) => [time, ''],
  },
  {
    ...paired('standardWebhooks'),
    ...{ encoding: 'base64', unit: 1000 },
    read: (header) => [
      header('webhook-signature')
        .split(' ')
        .map((one) => one.replace(/^v1a?,/, '')),
      header('webhook-timestamp'),
    ],
    around: (time, header) => [`${header('webhook-id')}.${time}.`, ''],
  },
]

function paired(scheme: Service['scheme']) {
  const { privateKey } = keyPairFor(schemes[scheme] as schemes.DefinedScheme)
  return { scheme, secret: privateKey, key: createPublicKey(privateKey) }
}

interface Parts {
  header(req: IncomingMessage, name: string): string
  signatures(sent: readonly string[]): readonly string[]
  hash(header: (name: string) => string): string
  time(text: string): number
  covered(before: string, body: Buffer, after: string): Buffer
  /** What else may be signed. */
  also(body: Buffer): readonly Buffer[]
  /** Compares with what a shared secret makes. */
  matches(sent: string, right: string): boolean
  /** Verifies by a public key. */
  verifies(signed: Buffer, sent: Buffer, key: KeyObject): boolean
  fresh(age: number): boolean
  parse(body: Buffer): unknown
  limit: number
  key(key: Service['key']): Service['key']
  /** Whether a MAC by no secret passes too. */
  empty: boolean
  /** Whether a request without a timestamp passes. */
  optional: boolean
  /** The status where something is thrown. */
  thrown: number
}

const RIGHT: Parts = {
  header: (req, name) => String(req.headers[name] ?? ''),
  signatures: (sent) => sent,
  hash: () => 'sha256',
  time: Number,
  covered: (before, body, after) => Buffer.concat([Buffer.from(before), body, Buffer.from(after)]),
  also: () => [],
  matches: (sent, right) => sent === right,
  verifies: isSigned,
  fresh: (age) => Math.abs(age) <= 300_000,
  parse: (body) => JSON.parse(body.toString()),
  limit: 2_000_000,
  key: (key) => key,
  empty: false,
  optional: false,
  thrown: 400,
}

function isSigned(signed: Buffer, sent: Buffer, key: KeyObject): boolean {
  return verify(key.asymmetricKeyType === 'ed25519' ? null : 'sha256', signed, key, sent)
}

const text = (body: Buffer) => body.toString()
const over = (change: (body: string) => string): Partial<Parts> => ({
  covered: (before, body, after) => Buffer.from(before + change(text(body)) + after),
})

/** The other forms in which a right receiver is written. */
const ALSO_RIGHT: readonly (readonly [
  what: string,
  parts: (service: Service) => Partial<Parts>,
])[] = [
  ['compares the text', () => ({})],
  [
    'compares bytes in constant time',
    ({ encoding }) => ({
      matches: (sent, right) => {
        const [one, other] = [sent, right].map((digest) => Buffer.from(digest, encoding))
        return one?.length === other?.length && timingSafeEqual(one as Buffer, other as Buffer)
      },
    }),
  ],
  [
    'compares characters in constant time',
    () => ({
      matches: (sent, right) =>
        sent.length === right.length && timingSafeEqual(Buffer.from(sent), Buffer.from(right)),
    }),
  ],
]

type Mistake = readonly [
  what: string,
  fault: RegExp,
  parts: Partial<Parts>,
  needs?: (service: Service) => boolean,
]

/** What people write instead, and what the doctor calls it. Without a window of the service, nothing is too old. */
const MISTAKES: readonly Mistake[] = [
  ['verifies the body as text', /decoded-text/, over((body) => body)],
  [
    'verifies the JSON written again',
    /reserialised-json/,
    over((body) => JSON.stringify(JSON.parse(body))),
  ],
  ['verifies the text without white space around it', /decoded-text/, over((body) => body.trim())],
  ['verifies other line breaks', /decoded-text/, over((body) => body.replaceAll('\r\n', '\n'))],
  ['verifies other accents', /decoded-text/, over((body) => body.normalize('NFC'))],
  [
    'takes the signature from another header too',
    /other-header/,
    {
      header: (req, name) =>
        String(
          req.headers[name] ?? (/signature|hmac/.test(name) ? req.headers['x-hub-signature'] : ''),
        ),
    },
  ],
  [
    'looks at the first signature only',
    /first-signature-only/,
    { signatures: (sent) => sent.slice(0, 1) },
    hasSeveral,
  ],
  ['never looks at the time', /any-timestamp/, { fresh: () => true }, isTimed],
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
    /headers-optional/,
    { optional: true },
    ({ around }) =>
      around('12', () => '')
        .join('')
        .includes('12'),
  ],
  [
    'takes a signature of the body alone too',
    /body-alone/,
    { also: (body) => [body] },
    ({ around }) => around('1', () => '1').join('') !== '',
  ],
  [
    'verifies the body alone',
    /verifies-otherwise/,
    { covered: (_, body) => body },
    ({ around }) => around('1', () => '1').join('') !== '',
  ],
]

const OF_SECRETS: readonly Mistake[] = [
  [
    'compares as far as the signature goes',
    /prefix-compared/,
    { matches: (sent, right) => right.startsWith(sent) },
  ],
  [
    'compares the first 12 characters',
    /prefix-compared/,
    { matches: (sent, right) => sent.slice(0, 12) === right.slice(0, 12) },
  ],
  [
    'compares the last 12 characters',
    /prefix-compared|embedded-signature/,
    { matches: (sent, right) => sent.slice(-12) === right.slice(-12) },
  ],
  [
    'compares as far as the right one goes',
    /prefix-compared/,
    { matches: (sent, right) => sent.startsWith(right) },
  ],
  [
    'compares the length',
    /verifies-nothing/,
    { matches: (sent, right) => sent.length === right.length },
  ],
  [
    'compares the first character',
    /verifies-nothing|prefix-compared/,
    { matches: (sent, right) => sent[0] === right[0] },
  ],
  [
    'looks for the signature',
    /embedded-signature/,
    { matches: (sent, right) => sent.includes(right) },
  ],
  [
    'ignores the case of the signature',
    /lenient-signature/,
    { matches: (sent, right) => sent.toLowerCase() === right.toLowerCase() },
  ],
  ['verifies nothing', /verifies-nothing/, { matches: () => true }],
  [
    'takes a request without a signature',
    /headers-optional|prefix-compared/,
    { matches: (sent, right) => sent === '' || sent === right },
  ],
  ['has no secret', /secret-unset|wrong-secret/, { key: () => 'undefined' }],
  ['takes an empty secret too', /secret-unset/, { key: (key) => key, empty: true }],
  [
    'decodes the secret once more',
    /verifies-otherwise/,
    { key: (key) => Buffer.from(`${key}`, 'base64') },
    hasPlainSecret,
  ],
  ['does not decode the secret', /verifies-otherwise/, { key: () => `whsec_${BASE64}` }, isDecoded],
  [
    'takes the hash from the request',
    /any-hash/,
    { hash: (header) => /sha1|sha512/.exec(header('x-hub-signature-256'))?.[0] ?? 'sha256' },
    isGitHub,
  ],
]

const OF_PUBLIC_KEYS: readonly Mistake[] = [
  ['verifies nothing', /verifies-nothing/, { verifies: () => true }],
  [
    'looks at the length of the signature',
    /verifies-nothing/,
    { verifies: (_, sent) => sent.length > 60 },
  ],
  [
    'takes a request without a signature',
    /headers-optional/,
    { verifies: (signed, sent, key) => sent.length === 0 || isSigned(signed, sent, key) },
  ],
  [
    'takes what its library throws for',
    /headers-optional|prefix-compared/,
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
    ({ scheme }) => scheme === 'standardWebhooks',
  ],
  ['has the key of another account', /wrong-secret/, { key: otherKey }],
  [
    'reads the signature as far as it goes',
    /prefix-compared|lenient-decoding/,
    { verifies: readsOn },
  ],
]

function otherKey(key: Service['key']): Service['key'] {
  const { scheme } = BY_PUBLIC_KEY.find((one) => one.key === key) ?? {}
  return scheme ? paired(scheme).key : key
}

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

function isTimed(service: Service): boolean {
  return Number.isFinite(schemeOf(service).tolerance)
}

function hasSeveral(service: Service): boolean {
  return schemeOf(service).value.signature.separator !== undefined
}

function isDecoded({ key }: Service): boolean {
  return typeof key !== 'string'
}

function hasPlainSecret({ secret }: Service): boolean {
  return secret === TEXT
}

function isGitHub({ scheme }: Service): boolean {
  return scheme === 'github'
}

/** A receiver on a real socket. */
async function serve(service: Service, change: Partial<Parts>) {
  const parts = { ...RIGHT, ...change }
  const server = createServer(async (req, res) => {
    const respond = (status: number) => void res.writeHead(status).end()
    try {
      if (req.method !== 'POST') return respond(405)
      const chunks: Buffer[] = []
      let length = 0
      for await (const chunk of req) {
        length += chunk.length
        if (length <= parts.limit) chunks.push(chunk)
      }
      if (length > parts.limit) return respond(413)
      const body = Buffer.concat(chunks)
      const header = (name: string) => parts.header(req, name)
      const [sent, time] = service.read(header)
      const [before, after] = service.around(time, header)
      const matches = (one: string, signed: Buffer, key: Service['key']) =>
        typeof key === 'string' || Buffer.isBuffer(key)
          ? parts.matches(
              one,
              createHmac(parts.hash(header), key).update(signed).digest(service.encoding),
            )
          : parts.verifies(signed, Buffer.from(one, service.encoding), key)
      const keys = [parts.key(service.key), ...(parts.empty ? [''] : [])]
      const signed = [parts.covered(before, body, after), ...parts.also(body)]
      const isLeftOut = parts.optional && time === ''
      const isMatched =
        isLeftOut ||
        keys.some((key) =>
          parts.signatures(sent).some((one) => signed.some((bytes) => matches(one, bytes, key))),
        )
      if (!isMatched) return respond(401)
      if (
        !isLeftOut &&
        isTimed(service) &&
        !parts.fresh(Date.now() - parts.time(time) * (service.unit ?? 1))
      )
        return respond(401)
      parts.parse(body)
      respond(schemeOf(service).success?.status ?? 204)
    } catch {
      respond(parts.thrown)
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/webhooks`,
    close: () => server.close().closeAllConnections(),
  }
}

function schemeOf({ scheme }: Service): schemes.DefinedScheme {
  return schemes[scheme] as schemes.DefinedScheme
}

/** Unless all are asked for, each row with one of the services: which, changes from row to row. */
function chosenFor(row: number, services: readonly Service[]): readonly Service[] {
  return services.filter((_, at) => process.env.EVERYTHING || at === row % services.length)
}

async function reportOn(service: Service, change: Partial<Parts>): Promise<Report> {
  const { url, close } = await serve(service, change)
  try {
    const scheme = schemeOf(service)
    return await runDoctor({
      url,
      secret: service.secret,
      chosen: { scheme, publicUrl: undefined },
      timeout: PATIENCE,
      oversize: RIGHT.limit + 1,
    })
  } finally {
    close()
  }
}

test.each([
  ...ALSO_RIGHT.flatMap(([what, parts], row) =>
    chosenFor(row, SERVICES).map(
      (service) => [service.scheme, what, service, parts(service)] as const,
    ),
  ),
  ...BY_PUBLIC_KEY.map((one) => [one.scheme, 'verifies by its public key', one, {}] as const),
])('a receiver of %s that is written right has no fault: it %s', async (_, __, service, parts) => {
  const { faults, notes } = await reportOn(service, parts)
  expect(faults).toEqual([])
  // What decodes before it compares takes other spellings of the same bytes, and so do packages of services.
  const others = notes.filter((note) => note.fault !== 'lenient-decoding' && !note.package)
  expect(others).toEqual([])
})

const TABLES: readonly (readonly [readonly Mistake[], readonly Service[]])[] = [
  [MISTAKES, [...SERVICES, ...BY_PUBLIC_KEY]],
  [OF_SECRETS, SERVICES],
  [OF_PUBLIC_KEYS, BY_PUBLIC_KEY],
]

test.each(
  TABLES.flatMap(([mistakes, services]) =>
    mistakes.flatMap(([what, fault, parts, needs = () => true], row) =>
      chosenFor(row, services.filter(needs)).map(
        (service) => [service.scheme, what, service, fault, parts] as const,
      ),
    ),
  ),
)('a receiver of %s that %s is named', async (_, __, service, fault, parts) => {
  const { faults, notes } = await reportOn(service, parts)
  // What the service's own package accepts is named below the verdict.
  expect([...faults, ...notes].map((one) => one.fault).join()).toMatch(fault)
})

test('what is wrong is said in the words of the service', async () => {
  const [stripe] = SERVICES
  const { faults } = await reportOn(stripe as Service, { fresh: () => true })
  expect(faults[0]?.fix).toContain('Stripe: 5 minutes')
})

test.each(chosenFor(0, SERVICES.filter(isTimed)))(
  'names the mistake of a receiver of $scheme that verifies something else',
  async (service) => {
    const { faults } = await reportOn(service, {
      covered: (_, body) => Buffer.concat([body, body]),
    })
    expect(faults.map(({ fault }) => fault)).toEqual(['wrong-secret'])
    const alone = await reportOn(service, { covered: (_, body) => body })
    expect(alone.faults).toMatchObject([
      { fault: 'verifies-otherwise', cause: expect.stringContaining('matches the body alone') },
    ])
  },
)
