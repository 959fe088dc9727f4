import { createHmac, createPublicKey, type KeyObject, verify } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { contract } from '@webhook-receiver/core/internal'
import {
  type DefinedScheme,
  discordInteractions,
  github,
  sendgrid,
  shopify,
  slack,
  standardWebhooks,
  stripe,
  wise,
} from '@webhook-receiver/schemes'
import { keyPairFor } from '@webhook-receiver/schemes/services'
import { onTestFinished } from 'vitest'
import { type DoctorOptions, runDoctor } from '../../src/doctor/run-doctor.ts'
import { SECRET } from '../invoke.ts'

/** How long a response may take on a machine that is busy with other things, in seconds. */
export const PATIENCE = 100

type Header = (name: string) => string

/** A service, as somebody reads it on its page and writes the code by hand. */
export interface Service {
  readonly scheme: DefinedScheme | typeof contract
  /** What signs. */
  readonly secret: string
  /** What verifies. */
  readonly key: string | Buffer | KeyObject
  readonly encoding: 'hex' | 'base64'
  /** The signatures without what they begin with, and the time as text. */
  read(header: Header): readonly [signatures: readonly string[], time: string]
  /** What is signed in front of the body, and behind it. */
  around(time: string, header: Header): readonly [string, string]
  /** The unit of the time in milliseconds; none without a window. */
  readonly unit?: number
}

const TEXT = 'YSBzZWNyZXQgdGhhdCBpcyBsb25n'
export const BASE64 = 'MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY='

const shared = { secret: TEXT, key: TEXT, encoding: 'hex' } as const

/** One signature in a header, behind this prefix, and the time in another. */
const headers = (signature: string, time = '', prefix: RegExp | string = ''): Service['read'] => {
  return (header) => [[header(signature).replace(prefix, '')], time && header(time)]
}

const standard: Pick<Service, 'read' | 'around' | 'unit'> = {
  unit: 1000,
  read: (header) => {
    const signatures = header('webhook-signature').split(' ')
    return [signatures.map((one) => one.replace(/^v1a?,/, '')), header('webhook-timestamp')]
  },
  around: (time, header) => [`${header('webhook-id')}.${time}.`, ''],
}

/** The format without a scheme. */
export const DEFAULT: Service = {
  ...{ scheme: contract, secret: SECRET, key: SECRET, encoding: 'hex', unit: 1000 },
  read: headers('x-webhook-signature', 'x-webhook-timestamp', /^sha256=/),
  around: (time) => [`${time}.`, ''],
}

export const SERVICES: readonly Service[] = [
  {
    ...{ ...shared, scheme: stripe, unit: 1000, around: (time) => [`${time}.`, ''] },
    read: (header) => {
      const text = header('stripe-signature')
      const signatures = [...text.matchAll(/(?:^|,)v1=([^,]*)/g)].map(([, one = '']) => one)
      return [signatures, /t=([^,]*)/.exec(text)?.[1] ?? '']
    },
  },
  {
    ...{ ...shared, scheme: github, around: () => ['', ''] },
    read: headers('x-hub-signature-256', '', /^sha\d+=/),
  },
  {
    ...{ ...shared, scheme: slack, unit: 1000, around: (time) => [`v0:${time}:`, ''] },
    read: headers('x-slack-signature', 'x-slack-request-timestamp', 'v0='),
  },
  {
    ...{ ...standard, scheme: standardWebhooks, encoding: 'base64' },
    ...{ secret: `whsec_${BASE64}`, key: Buffer.from(BASE64, 'base64') },
  },
  {
    ...{ ...shared, scheme: shopify, encoding: 'base64', around: () => ['', ''] },
    read: headers('x-shopify-hmac-sha256'),
  },
]

/** Services that share no secret: a key pair of the test signs and verifies. */
export const BY_PUBLIC_KEY: readonly Service[] = [
  {
    ...{ ...paired(sendgrid), encoding: 'base64', around: (time) => [time, ''] },
    read: headers(
      'x-twilio-email-event-webhook-signature',
      'x-twilio-email-event-webhook-timestamp',
    ),
  },
  {
    ...{ ...paired(wise), encoding: 'base64', around: () => ['', ''] },
    read: headers('x-signature-sha256'),
  },
  {
    ...{ ...paired(discordInteractions), encoding: 'hex', unit: 1000 },
    read: headers('x-signature-ed25519', 'x-signature-timestamp'),
    around: (time) => [time, ''],
  },
  { ...standard, ...paired(standardWebhooks), encoding: 'base64' },
]

function paired(scheme: DefinedScheme) {
  const { privateKey } = keyPairFor(scheme)
  return { scheme, secret: privateKey, key: createPublicKey(privateKey) }
}

/** The parts of a receiver, each of which a test can get wrong. */
export const RIGHT = {
  method: (method: string): boolean => method === 'POST',
  read: readAll,
  plain: (_: IncomingHttpHeaders, body: Buffer) => body,
  header: (req: IncomingMessage, name: string) => String(req.headers[name] ?? ''),
  signatures: (sent: readonly string[]) => sent,
  hash: (_: Header) => 'sha256',
  time: (text: string) => Number(text),
  covered: (before: string, body: Buffer, after: string): Buffer =>
    Buffer.concat([Buffer.from(before), body, Buffer.from(after)]),
  /** What else may be signed. */
  also: (_: Buffer): readonly Buffer[] => [],
  /** Compares with what a shared secret makes. */
  matches: (sent: string, right: string) => sent === right,
  /** Verifies by a public key. */
  verifies: isSigned,
  fresh: (age: number) => Math.abs(age) <= 300_000,
  parse: (body: Buffer): unknown => JSON.parse(body.toString()),
  handle: (id: string, runs: Map<string, number>, _: IncomingHttpHeaders): unknown =>
    runs.set(id, runs.get(id) ?? 1),
  limit: 1_048_576,
  key: (key: Service['key']) => key,
  /** Whether a MAC by no secret passes too. */
  empty: false,
  /** Whether a request without a timestamp passes. */
  optional: false,
  /** The status where verifying or parsing throws. */
  thrown: 400,
}

export type Parts = typeof RIGHT

export function isSigned(signed: Buffer, sent: Buffer, key: KeyObject): boolean {
  return verify(key.asymmetricKeyType === 'ed25519' ? null : 'sha256', signed, key, sent)
}

/** Reads the whole body, and keeps none of one that is too large. */
async function readAll(req: IncomingMessage, limit: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of req) {
    length += chunk.length
    if (length <= limit) chunks.push(chunk)
  }
  return length > limit ? undefined : Buffer.concat(chunks)
}

/** Verifies another text than the body. */
export const over = (change: (body: string) => string): Partial<Parts> => ({
  covered: (before, body, after) => Buffer.from(before + change(body.toString()) + after),
})

/** The mistake of a receiver that handles a delivery once for each header with its id, which nobody signs. */
export const keyedByHeader: Partial<Parts> = {
  handle: (id, runs, { 'x-webhook-id': webhookId }) => {
    const key = `header ${webhookId}`
    if (webhookId !== undefined && runs.has(key)) return
    runs.set(key, 1).set(id, (runs.get(id) ?? 0) + 1)
  },
}

/** Starts a receiver of a service with a mistake, or with none. `/runs` returns how often its handler ran. */
async function startByHand(service: Service, mistake: Partial<Parts> = {}) {
  const parts = { ...RIGHT, ...mistake }
  const runs = new Map<string, number>()
  const server = createServer(async (req, res) => {
    const { pathname, searchParams } = new URL(req.url ?? '', 'http://localhost')
    if (pathname === '/runs') res.end(String(runs.get(searchParams.get('id') ?? '') ?? 0))
    else res.writeHead(await receive(req, service, parts, runs).catch(() => 500)).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const close = () => void server.close().closeAllConnections()
  return { url: `http://127.0.0.1:${port}/webhooks`, close }
}

async function receive(
  ...[req, service, parts, runs]: [IncomingMessage, Service, Parts, Map<string, number>]
) {
  const raw = await parts.read(req, parts.limit)
  if (!parts.method(req.method ?? '')) return 405
  if (raw === undefined) return 413
  const body = parts.plain(req.headers, raw)
  let content: unknown
  try {
    if (!isValid(req, body, service, parts)) return 401
    content = parts.parse(body)
  } catch {
    return parts.thrown
  }
  const id: unknown = Object(content).id
  if (service.scheme === contract && typeof id !== 'string') return 400
  parts.handle(String(id), runs, req.headers)
  return service.scheme.success?.status ?? 204
}

function isValid(req: IncomingMessage, body: Buffer, service: Service, parts: Parts): boolean {
  const header = (name: string) => parts.header(req, name)
  const [sent, time] = service.read(header)
  if (parts.optional && time === '') return true
  const matches = (one: string, signed: Buffer, key: Service['key']) => {
    if (typeof key !== 'string' && !Buffer.isBuffer(key))
      return parts.verifies(signed, Buffer.from(one, service.encoding), key)
    const mac = createHmac(parts.hash(header), key).update(signed)
    return parts.matches(one, mac.digest(service.encoding))
  }
  const keys = [parts.key(service.key), ...(parts.empty ? [''] : [])]
  const [before, after] = service.around(time, header)
  const signed = [parts.covered(before, body, after), ...parts.also(body)]
  const isMatched = keys.some((key) =>
    parts.signatures(sent).some((one) => signed.some((bytes) => matches(one, bytes, key))),
  )
  const isTimed = Number.isFinite(service.scheme.tolerance)
  const age = () => Date.now() - parts.time(time) * (service.unit ?? 1)
  return isMatched && (!isTimed || parts.fresh(age()))
}

/** The URL of a receiver of the default format, until the test is over. */
export async function serveByHand(mistake: Partial<Parts> = {}, secret = SECRET) {
  const { url, close } = await startByHand({ ...DEFAULT, key: secret }, mistake)
  onTestFinished(close)
  return url
}

/** What the doctor reports of a receiver of a service. */
export async function reportOn(
  service: Service,
  mistake: Partial<Parts> = {},
  options: Partial<DoctorOptions> = {},
) {
  const { url, close } = await startByHand(service, mistake)
  const { scheme, secret } = service
  const chosen = { scheme, publicUrl: undefined }
  const observe = scheme === contract ? new URL('/runs', url).href : undefined
  const limits = { timeout: PATIENCE, oversize: RIGHT.limit * 2 }
  return runDoctor({ url, secret, chosen, observe, ...limits, ...options }).finally(close)
}
