import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { WebhookError } from '@webhook-receiver/core'
import { readStream, upTo } from '@webhook-receiver/core/adapter'
import { writeCapture } from '@webhook-receiver/quarantine/internal'
import { checkAccess } from './access.ts'
import { CommandError, readReply, readSend } from './command.ts'
import { attemptView, type ViewRules } from './delivery-view.ts'
import type { EventStream } from './event-stream.ts'
import { type Journal, requestOf } from './journal.ts'
import { type PageFile, readPage } from './page-files.ts'
import type { Reply } from './reply.ts'
import { searchDeliveries } from './search.ts'
import { findAttempt, type Sender } from './sender.ts'
import type { Service } from './service.ts'
import type { Target } from './targets.ts'

/** What the requests of the page are about. */
export interface Surface {
  readonly token: string
  readonly rules: ViewRules
  readonly service: Service
  readonly now: () => number
  readonly journal: Journal
  readonly targets: ReadonlyMap<string, Target>
  readonly stream: EventStream
  readonly sender: Sender
  readonly setReply: (reply: Reply) => void
  /** Whether anything listens where deliveries go. */
  readonly isReady: () => Promise<boolean>
}

/** The largest command, in bytes: a body of 1 MiB in which each character is escaped. */
const LIMIT = 8_388_608

/** Nothing from elsewhere, nothing inline, and no string becomes HTML (Trusted Types). */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

const HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': POLICY,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
}

/** Serves the page and what it asks for. */
export function requestHandler(surface: Surface): RequestListener {
  let page: ReadonlyMap<string, PageFile> | undefined
  return (req, res) => {
    for (const [name, value] of Object.entries(HEADERS)) res.setHeader(name, value)
    const access = checkAccess(req, surface.token)
    if ('status' in access) return respondText(res, access.status, access.message)
    const { path } = access
    if (path === '') {
      res.writeHead(308, { Location: `/${surface.token}/` }).end()
      return
    }
    if (req.method === 'GET' && !path.startsWith('/api/')) {
      page ??= readPage()
      const file = page.get(path)
      if (file === undefined) return respondText(res, 404, 'Not found.')
      res.writeHead(200, { 'Content-Type': file.type }).end(file.content)
      return
    }
    if (req.method !== 'GET' && req.method !== 'POST') {
      res.setHeader('Allow', 'GET, POST')
      return respondText(res, 405, 'Use GET or POST.')
    }
    const route = `${req.method} ${path.slice('/api'.length)}`
    respond(route, req, res, surface).then(
      (value) => value && respondJson(res, 200, value),
      (error: unknown) => respondError(res, error),
    )
  }
}

/** Resolves to the JSON of the response, unless it is something else. */
async function respond(
  route: string,
  req: IncomingMessage,
  res: ServerResponse,
  { rules, now, journal, targets, service, stream, sender, setReply, isReady }: Surface,
): Promise<object | undefined> {
  const query = new URLSearchParams((req.url ?? '').split('?')[1])
  const find = () =>
    findAttempt(journal, Number(query.get('n')), Number(query.get('attempt')) || undefined)
  switch (route) {
    case 'GET /events':
      if (!stream.open(req, res)) throw new CommandError('Too many pages are open.', 503)
      return undefined
    case 'GET /attempt': {
      const { delivery, attempt } = find()
      return attemptView(delivery, attempt, targets.get(delivery.target), service, rules)
    }
    case 'GET /capture': {
      const { delivery, attempt } = find()
      const name = `delivery-${delivery.n}-${attempt.number}.json`
      res.writeHead(200, {
        'Content-Type': 'application/json',
        'Content-Disposition': `attachment; filename="${name}"`,
      })
      res.end(writeCapture({ ...requestOf(attempt), receivedAt: attempt.at }))
      return undefined
    }
    case 'GET /search': {
      const all = journal.changesAfter(0, Number.POSITIVE_INFINITY)
      return { found: searchDeliveries(all, query.get('text') ?? '') }
    }
    case 'GET /ready':
      return { ready: await isReady() }
    case 'GET /sample':
      return { text: service.sample(query.get('event') ?? '', now) }
    case 'POST /send': {
      const { n } = await sender.send(readSend(await readJson(req)))
      return { n }
    }
    case 'POST /reply':
      setReply(readReply(await readJson(req)))
      return {}
    case 'POST /clear':
      journal.clear()
      return {}
    default:
      throw new CommandError('Not found.', 404)
  }
}

async function readJson(req: IncomingMessage): Promise<object> {
  const body = await readStream(req, upTo(LIMIT))
  try {
    const value: unknown = JSON.parse(Buffer.from(body.take()).toString())
    if (typeof value === 'object' && value !== null) return value
  } catch {}
  throw new CommandError('The body should be a JSON object.', 400)
}

function respondError(res: ServerResponse, error: unknown): void {
  if (res.headersSent) {
    res.destroy()
    return
  }
  if (error instanceof CommandError) {
    respondJson(res, error.status, { message: error.message })
    return
  }
  res.setHeader('Connection', 'close')
  if (error instanceof WebhookError) respondJson(res, 413, { message: 'The request is too large.' })
  else respondJson(res, 500, { message: String(error) })
}

function respondJson(res: ServerResponse, status: number, value: object): void {
  res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value))
}

function respondText(res: ServerResponse, status: number, message: string): void {
  res.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' }).end(`${message}\n`)
}
