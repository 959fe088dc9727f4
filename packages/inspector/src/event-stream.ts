import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Journal } from './journal.ts'
import { toRow } from './row.ts'

/** How long changes are collected, in milliseconds. */
const PAUSE = 60

/** How many rows one message has at most. */
const BATCH = 1000

/** How many pages can be open. */
const MAX_CLIENTS = 16

/** How often a silent connection gets a comment, in milliseconds, so that a page that has gone is noticed. */
const HEARTBEAT = 15_000

interface Client {
  readonly res: ServerResponse
  /** The last change of a delivery that it was sent. */
  version: number
  /** The last state that it was sent, as JSON. */
  state: string
}

/** Sends what changes to all open pages, as server-sent events. */
export interface EventStream {
  /** Call it after a change. */
  wake(): void
  /** Responds with the stream; `false` where there are too many already. */
  open(req: IncomingMessage, res: ServerResponse): boolean
  close(): void
}

/**
 * The id of a message is the number of the last change in it. What a page gets when it connects again is what has changed since
 * then, each delivery once, as it is now: nothing is lost, nothing comes twice, and a slow page makes no queue here.
 */
export function createEventStream(journal: Journal, state: () => object): EventStream {
  const clients = new Set<Client>()
  // A page of an earlier process has other numbers.
  const epoch = randomBytes(6).toString('base64url')
  let timer: NodeJS.Timeout | undefined
  let heartbeat: NodeJS.Timeout | undefined

  function update(client: Client): void {
    const { res } = client
    if (res.writableNeedDrain) return
    const now = JSON.stringify(state())
    if (now !== client.state) {
      client.state = now
      res.write(`event: state\ndata: ${now}\n\n`)
    }
    for (;;) {
      const changes = journal.changesAfter(client.version, BATCH)
      const last = changes.at(-1)
      if (last === undefined) return
      client.version = last.version
      const data = JSON.stringify(changes.map(toRow))
      // `drain` goes on where the page does not read as fast.
      if (!res.write(`id: ${epoch}-${last.version}\nevent: rows\ndata: ${data}\n\n`)) return
    }
  }

  function wake(): void {
    if (clients.size === 0) return
    timer ??= setTimeout(() => {
      timer = undefined
      for (const client of clients) update(client)
    }, PAUSE)
  }

  return {
    wake,
    open(req, res) {
      if (clients.size >= MAX_CLIENTS) return false
      res.writeHead(200, { 'Content-Type': 'text/event-stream' })
      const client: Client = { res, version: versionOf(req, epoch), state: '' }
      clients.add(client)
      heartbeat ??= setInterval(() => {
        for (const { res } of clients) if (!res.writableNeedDrain) res.write(':\n\n')
      }, HEARTBEAT)
      heartbeat.unref()
      res.on('drain', () => update(client))
      res.on('close', () => {
        clients.delete(client)
        if (clients.size > 0) return
        clearInterval(heartbeat)
        heartbeat = undefined
      })
      res.write(`retry: 500\nevent: hello\ndata: ${JSON.stringify({ epoch })}\n\n`)
      update(client)
      return true
    },
    close() {
      clearTimeout(timer)
      clearInterval(heartbeat)
      for (const { res } of clients) res.end()
    },
  }
}

/** What the page has already: 0 where that is of another process. */
function versionOf({ headers }: IncomingMessage, epoch: string): number {
  const last = headers['last-event-id']
  if (typeof last !== 'string' || !last.startsWith(`${epoch}-`)) return 0
  const version = Number(last.slice(epoch.length + 1))
  return Number.isSafeInteger(version) && version >= 0 ? version : 0
}
