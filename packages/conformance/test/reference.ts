import { createHmac, timingSafeEqual } from 'node:crypto'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import { type AdapterSetup, listening, type RunningAdapter } from '../src/index.ts'

const limit = 1_048_576
const tolerance = 300_000

/** The parts of the receiver that a test may replace with a wrong one. */
export interface Parts {
  readonly signature: (value: string | undefined) => Buffer | undefined
  readonly signed: (timestamp: string, body: Buffer) => Buffer
  readonly fresh: (timestamp: string, now: number) => boolean
  readonly tooBig: (received: number) => boolean
}

export const rightParts: Parts = {
  signature: (value) => {
    const digest = /^sha256=([0-9a-f]{64})$/.exec(value ?? '')?.[1]
    return digest === undefined ? undefined : Buffer.from(digest, 'hex')
  },
  signed: (timestamp, body) => Buffer.concat([Buffer.from(`${timestamp}.`, 'latin1'), body]),
  fresh: (timestamp, now) => {
    const instant = instantOf(timestamp)
    return instant !== undefined && Math.abs(now - instant) <= tolerance
  },
  tooBig: (received) => received > limit,
}

/** Starts a receiver on plain `node:http` that shares no code with the rest of the repository. */
export function startReference(
  setup: AdapterSetup,
  parts: Parts = rightParts,
): Promise<RunningAdapter> {
  const server = createServer((request, response) => {
    receive(request, setup, parts).then(
      (status) => respond(request, response, status),
      () => response.destroy(),
    )
  })
  return listening(server)
}

async function receive(
  request: IncomingMessage,
  setup: AdapterSetup,
  parts: Parts,
): Promise<number> {
  const path = (request.url ?? '').replace(/^http:\/\/[^/]*/, '').split('?')[0]
  if (path !== setup.path) return 404
  if (request.method !== 'POST') return 405
  const signature = parts.signature(header(request.headers, 'x-webhook-signature'))
  const timestamp = header(request.headers, 'x-webhook-timestamp')
  if (signature === undefined || !timestamp) return 401
  if (!/^(identity|utf-?8|none|binary)?$/i.test(header(request.headers, 'content-encoding') ?? ''))
    return 415
  if (Number(request.headers['content-length'] ?? 0) > limit) return 413
  const body = await readBody(request, parts)
  if (body === undefined) return 413
  const expected = createHmac('sha256', setup.secret).update(parts.signed(timestamp, body)).digest()
  if (!timingSafeEqual(expected, signature)) return 401
  if (!parts.fresh(timestamp, setup.now())) return 401
  const delivery = parseDelivery(body)
  if (delivery === undefined) return 400
  try {
    await setup.onDelivery(delivery)
    return 204
  } catch {
    return 500
  }
}

function header(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' ? value : undefined
}

async function readBody(request: IncomingMessage, parts: Parts): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let received = 0
  return new Promise((resolve, reject) => {
    request.on('data', (chunk: Buffer) => {
      received += chunk.length
      if (parts.tooBig(received)) resolve(undefined)
      else chunks.push(chunk)
    })
    request.on('end', () => resolve(Buffer.concat(chunks)))
    request.on('error', reject)
    request.on('close', () => reject(new Error('the body was cut')))
  })
}

/** Responds to what is rejected when the body is read, or when there is too much of it to wait for. */
async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
): Promise<void> {
  const whole = request.complete || (await discard(request, limit, 1000))
  response.statusCode = status
  if (status !== 204) response.setHeader('Content-Length', 0)
  if (status === 405) response.setHeader('Allow', 'POST')
  if (!whole) {
    response.setHeader('Connection', 'close')
    // The whole response is out now. Ending it would close the connection on a client that still
    // writes, and a reset would take the response away from it.
    response.flushHeaders()
    await discard(request, 64 * limit, 2000)
  }
  response.end()
}

function discard(request: IncomingMessage, most: number, within: number): Promise<boolean> {
  return new Promise((resolve) => {
    let discarded = 0
    const timer = setTimeout(done, within, false)
    function done(whole: boolean): void {
      clearTimeout(timer)
      request.off('data', count)
      resolve(whole)
    }
    function count(chunk: Buffer): void {
      discarded += chunk.length
      if (discarded > most) done(false)
    }
    request.on('data', count)
    request.once('end', () => done(true))
    request.once('close', () => done(request.complete))
    request.resume()
  })
}

/** The delivery in a validly signed body; nothing if it holds none. */
function parseDelivery(body: Buffer): object | undefined {
  let value: unknown
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body)
    if (depth(text) > 64) return undefined
    value = JSON.parse(text, function (this: unknown, key: string, member: unknown) {
      return key === '__proto__' ? undefined : member
    })
  } catch {
    return undefined
  }
  return isDelivery(value) ? value : undefined
}

function depth(text: string): number {
  let open = 0
  let deepest = 0
  for (const token of text.matchAll(/"(?:[^"\\]|\\.)*"|[[{]|[\]}]/gs)) {
    if (token[0] === '[' || token[0] === '{') deepest = Math.max(deepest, ++open)
    else if (token[0] === ']' || token[0] === '}') open -= 1
  }
  return deepest
}

function isDelivery(value: unknown): value is object {
  if (!isObject(value) || !isObject(value.data)) return false
  const { data } = value
  const texts = [value.id, value.event, value.created_at, data.instance_id, data.timestamp]
  return (
    texts.every((text) => typeof text === 'string' && text !== '') &&
    data.event === value.event &&
    isObject(data.data)
  )
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const rfc3339 = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:Z|([+-])(\d\d):(\d\d))$/
const httpDate = /^(\w{3}), (\d\d) (\w{3}) (\d{4}) (\d\d):(\d\d):(\d\d) GMT$/

/** The instant in milliseconds that a timestamp names; nothing if it has none of the four forms. */
function instantOf(value: string): number | undefined {
  if (/^\d{10}$/.test(value)) return Number(value) * 1000
  if (/^\d{13}$/.test(value)) return Number(value)
  const local = rfc3339.exec(value)
  if (local !== null) return fromFields(local)
  if (!httpDate.test(value)) return undefined
  const instant = Date.parse(value)
  // Written again, a date that does not exist or has another weekday comes out different.
  return new Date(instant).toUTCString() === value ? instant : undefined
}

function fromFields(match: RegExpExecArray): number | undefined {
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number)
  const text = match[0].slice(0, 19)
  const instant = Date.UTC(year ?? 0, (month ?? 0) - 1, day, hour, minute, second)
  if (new Date(instant).toISOString().slice(0, 19) !== text) return undefined
  const hours = Number(match[9] ?? 0)
  const minutes = Number(match[10] ?? 0)
  if (hours > 23 || minutes > 59) return undefined
  const offset = (hours * 60 + minutes) * 60_000 * (match[8] === '-' ? -1 : 1)
  return instant - offset + Number(`0.${match[7] ?? 0}`) * 1000
}
