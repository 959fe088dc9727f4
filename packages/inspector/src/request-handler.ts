import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { Refusal, readStream } from '@webhook-receiver/core/adapter'
import { sampleDelivery } from '@webhook-receiver/core/testing'
import { writeCapture } from '@webhook-receiver/quarantine'
import { checkAccess } from './access.ts'
import { CommandError, readScenario, readSend } from './command.ts'
import { attemptView, wireRequest } from './delivery-view.ts'
import type { EventStream } from './event-stream.ts'
import type { Attempt, Delivery, Journal } from './journal.ts'
import type { ResolvedOptions } from './options.ts'
import { type PageFile, readPage } from './page-files.ts'
import type { ScenarioSettings } from './scenario.ts'
import type { Sender } from './sender.ts'
import type { Targets } from './targets.ts'

/** What the requests of the page are about. */
export interface Surface {
  readonly options: ResolvedOptions
  readonly journal: Journal
  readonly targets: Targets
  readonly stream: EventStream
  readonly sender: Sender
  startScenario(settings: ScenarioSettings): Promise<void>
  stopScenario(): void
  examine(target: string): Promise<void>
  stopExamination(): void
}

/** The largest command, in bytes: a body of 1 MiB in which each character is escaped. */
const LIMIT = 8_388_608

/** Nothing from elsewhere, nothing inline, and no string becomes HTML (Trusted Types). */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  // Chromium itself writes style attributes while somebody types in an editor. Nothing else can: no text becomes HTML.
  "style-src-attr 'unsafe-inline'",
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

/** Answers the page and what it asks for. */
export function requestHandler(surface: Surface): RequestListener {
  let page: ReadonlyMap<string, PageFile> | undefined
  return (req, res) => {
    for (const [name, value] of Object.entries(HEADERS)) res.setHeader(name, value)
    const access = checkAccess(req, surface.options)
    if ('status' in access) return answerText(res, access.status, access.message)
    const { path } = access
    if (path === '') {
      res
        .writeHead(308, { Location: `${surface.options.basePath}/${surface.options.token}/` })
        .end()
      return
    }
    if (req.method === 'GET' && !path.startsWith('/api/')) {
      page ??= readPage()
      const file = page.get(path)
      if (file === undefined) return answerText(res, 404, 'Not found.')
      res.writeHead(200, { 'Content-Type': file.type }).end(file.content)
      return
    }
    if (req.method !== 'GET' && req.method !== 'POST') {
      res.setHeader('Allow', 'GET, POST')
      return answerText(res, 405, 'Use GET or POST.')
    }
    const route = `${req.method} ${path.slice('/api'.length)}`
    answer(route, req, res, surface).catch((error: unknown) => answerError(res, error))
  }
}

async function answer(
  route: string,
  req: IncomingMessage,
  res: ServerResponse,
  surface: Surface,
): Promise<void> {
  const { journal, targets, stream, sender, options } = surface
  const query = new URLSearchParams((req.url ?? '').split('?')[1])
  switch (route) {
    case 'GET /events':
      if (!stream.open(req, res)) throw new CommandError('Too many pages are open.', 503)
      return
    case 'GET /attempt': {
      const { delivery, attempt } = find(journal, query)
      const target = targets.get(delivery.target)
      return answerJson(res, await attemptView(delivery, attempt, target, options.apiKey))
    }
    case 'GET /capture': {
      const { delivery, attempt } = find(journal, query)
      const request = wireRequest(attempt)
      if (request === undefined) throw new CommandError('The body was dropped to save memory.', 410)
      const name = `delivery-${delivery.n}-${attempt.number}.json`
      res.writeHead(200, {
        'Content-Type': 'application/json',
        'Content-Disposition': `attachment; filename="${name}"`,
      })
      res.end(writeCapture({ ...request, receivedAt: attempt.at }))
      return
    }
    case 'GET /sample':
      return answerJson(res, sampleDelivery(query.get('event') ?? '', { now: options.now }))
    case 'POST /send': {
      const { n } = await sender.send(readSend(await readJson(req)))
      return answerJson(res, { n })
    }
    case 'POST /scenario': {
      const running = surface.startScenario(readScenario(await readJson(req)))
      // It fails at once, or runs for long.
      await Promise.race([running, Promise.resolve()])
      running.catch(() => {})
      return answerJson(res, {})
    }
    case 'POST /scenario/stop':
      surface.stopScenario()
      return answerJson(res, {})
    case 'POST /doctor': {
      const { target } = await readJson(req)
      const running = surface.examine(String(target))
      await Promise.race([running, Promise.resolve()])
      running.catch(() => {})
      return answerJson(res, {})
    }
    case 'POST /doctor/stop':
      surface.stopExamination()
      return answerJson(res, {})
    case 'POST /clear':
      journal.clear()
      return answerJson(res, {})
    default:
      throw new CommandError('Not found.', 404)
  }
}

function find(
  journal: Journal,
  query: URLSearchParams,
): { readonly delivery: Delivery; readonly attempt: Attempt } {
  const delivery = journal.get(Number(query.get('n')))
  const number = query.get('attempt')
  const attempt =
    number === null ? delivery?.attempts.at(-1) : delivery?.attempts[Number(number) - 1]
  if (delivery && attempt) return { delivery, attempt }
  throw new CommandError('This delivery was dropped to save memory.', 410)
}

async function readJson(req: IncomingMessage): Promise<Readonly<Record<string, unknown>>> {
  const declared = Number(req.headers['content-length'])
  const body = await readStream(req, { limit: LIMIT, declared, allocate: Buffer.alloc })
  try {
    const value: unknown = JSON.parse(Buffer.from(body).toString())
    if (typeof value === 'object' && value !== null) return { ...value }
  } catch {}
  throw new CommandError('The body should be a JSON object.', 400)
}

function answerJson(res: ServerResponse, value: object): void {
  res.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(value))
}

function answerError(res: ServerResponse, error: unknown): void {
  if (res.headersSent) {
    res.destroy()
    return
  }
  const known = error instanceof CommandError
  const status = known ? error.status : error instanceof Refusal ? 413 : 500
  const message = known
    ? error.message
    : status === 413
      ? 'The request is too large.'
      : String(error)
  if (!known) res.setHeader('Connection', 'close')
  res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify({ message }))
}

function answerText(res: ServerResponse, status: number, message: string): void {
  res.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' }).end(`${message}\n`)
}
