import { createHmac } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { gunzipSync } from 'node:zlib'
import type { Fault } from '../../src/doctor/faults.ts'
import { serving } from '../receiver.ts'
import { SECRET } from './doctor-report.ts'

/** The parts of a receiver, each of which a test can get wrong. */
export interface Parts {
  method(method: string): boolean
  read(req: IncomingMessage): Promise<Buffer | undefined>
  plain(headers: IncomingHttpHeaders, body: Buffer): Buffer
  /** What the MAC is computed over. */
  covered(timestamp: string, body: Buffer): Buffer
  matches(sent: string | undefined, expected: string): boolean
  fresh(timestamp: string | undefined): boolean
  parse(body: Buffer): string | undefined
  handle(id: string, runs: Map<string, number>, headers: IncomingHttpHeaders): void
}

export const rightParts: Parts = {
  method: (method) => method === 'POST',
  read: (req) => read(req, 1_048_576),
  plain: (_, body) => body,
  covered: (timestamp, body) => Buffer.concat([Buffer.from(`${timestamp}.`), body]),
  matches: (sent, expected) => sent === expected,
  fresh: (timestamp) => Math.abs(Date.now() / 1000 - Number(timestamp)) <= 300,
  parse: (body) => {
    try {
      const { id } = JSON.parse(body.toString())
      return typeof id === 'string' ? id : undefined
    } catch {
      return undefined
    }
  },
  handle: (id, runs) => {
    if (!runs.has(id)) runs.set(id, 1)
  },
}

/** Reads the whole body, and keeps none of one that is too large. */
export async function read(req: IncomingMessage, limit: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of req) {
    length += chunk.length
    if (length <= limit) chunks.push(chunk)
  }
  return length > limit ? undefined : Buffer.concat(chunks)
}

export function gunzipped(headers: IncomingHttpHeaders, body: Buffer): Buffer {
  return headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body
}

/** Leaves what is past the limit on the socket: Node does not throw it away, since somebody has begun to read. */
function readAndLeave(req: IncomingMessage): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let length = 0
    req.on('data', (chunk) => {
      chunks.push(chunk)
      length += chunk.length
      if (length <= 1_048_576) return
      req.pause()
      resolve(undefined)
    })
    req.on('end', () => resolve(Buffer.concat(chunks)))
  })
}

function reserialised(body: Buffer): string {
  try {
    return JSON.stringify(JSON.parse(body.toString()))
  } catch {
    return body.toString()
  }
}

/** The mistakes that are made most often, each with the fault that it shows. */
export const COMMON: Readonly<Partial<Record<Fault, Partial<Parts>>>> = {
  'reserialised-json': {
    covered: (timestamp, body) => Buffer.from(`${timestamp}.${reserialised(body)}`),
  },
  'prefix-compared': { matches: (sent, right) => sent?.slice(0, 23) === right.slice(0, 23) },
  'any-timestamp': { fresh: (timestamp) => timestamp !== undefined },
  'header-id-deduplicated': {
    handle: (id, runs, { 'x-webhook-id': webhookId }) => {
      const key = `header ${webhookId}`
      if (webhookId !== undefined && runs.has(key)) return
      runs.set(key, 1).set(id, (runs.get(id) ?? 0) + 1)
    },
  },
  'parser-first': {
    plain: (_, body) => {
      JSON.parse(body.toString())
      return body
    },
  },
  'body-not-read': { read: readAndLeave },
}

/** Starts a receiver with a mistake, or with none; resolves to its URL. `/runs` returns how often the handler ran. */
export async function startFaulty(mistake: Partial<Parts> = {}, secret = SECRET): Promise<string> {
  const parts = { ...rightParts, ...mistake }
  const runs = new Map<string, number>()
  const origin = await serving(async (req, res) => {
    const url = new URL(req.url ?? '', 'http://localhost')
    if (url.pathname === '/runs') {
      res.end(String(runs.get(url.searchParams.get('id') ?? '') ?? 0))
      return
    }
    const status = await receive(req, parts, secret, runs).catch(() => 500)
    res.writeHead(status).end()
  })
  return `${origin}/webhooks`
}

async function receive(
  req: IncomingMessage,
  parts: Parts,
  secret: string,
  runs: Map<string, number>,
): Promise<number> {
  const raw = await parts.read(req)
  if (!parts.method(req.method ?? '')) return 405
  if (raw === undefined) return 413
  const body = parts.plain(req.headers, raw)
  const timestamp = req.headers['x-webhook-timestamp']?.toString()
  const mac = createHmac('sha256', secret).update(parts.covered(timestamp ?? '', body))
  const sent = req.headers['x-webhook-signature']?.toString()
  if (!parts.matches(sent, `sha256=${mac.digest('hex')}`)) return 401
  if (!parts.fresh(timestamp)) return 401
  const id = parts.parse(body)
  if (id === undefined) return 400
  parts.handle(id, runs, req.headers)
  return 204
}
