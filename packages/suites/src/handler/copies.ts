import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import type { StartAdapter } from '@webhook-receiver/conformance/internal'
import { type DeliveryRequest, deliveryRequest } from '@webhook-receiver/conformance/internal'
import { CONTRACT_HEADERS } from '@webhook-receiver/core/internal'

export interface CopiesOptions {
  /** How many deliveries there are. @default 1000 */
  readonly ids?: number | undefined
  /** How often each is sent at once. @default 20 */
  readonly copies?: number | undefined
}

/** The result of all copies. */
export interface CopiesResult {
  /** How often the handler ran for each id that it ran for. */
  readonly runs: ReadonlyMap<string, number>
  /** How many responses there were of each status. */
  readonly statuses: Readonly<Record<number, number>>
  /** The ids of which no copy got 2xx. */
  readonly unacknowledged: readonly string[]
}

/** How many deliveries are sent at the same time, each in all its copies. */
const WORKERS = 5

const SETUP = { secret: 'whsec_copies', now: Date.now, path: '/webhooks' } as const

/**
 * Starts an adapter, sends it each delivery many times at once on connections of their own, every copy with
 * a different X-Webhook-Id, and stops the adapter. With a store behind it, the handler runs once for each id.
 */
export async function deliverCopies(
  start: StartAdapter,
  { ids = 1000, copies = 20 }: CopiesOptions = {},
): Promise<CopiesResult> {
  const runs = new Map<string, number>()
  const statuses: Record<number, number> = {}
  const unacknowledged: string[] = []
  const adapter = await start({
    ...SETUP,
    onDelivery: async (delivery) => {
      const id = idOf(delivery)
      runs.set(id, (runs.get(id) ?? 0) + 1)
      // Long enough for the copies to come in.
      await new Promise((resolve) => setTimeout(resolve, 5))
    },
  })
  const agent = new Agent({ keepAlive: true, maxSockets: copies * WORKERS })
  const waiting = Array.from({ length: ids }, () => randomUUID())
  const worker = async (): Promise<void> => {
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      const delivery = deliveryRequest(SETUP, id)
      const seen = await Promise.all(
        Array.from({ length: copies }, () => post(adapter.port, agent, delivery)),
      )
      for (const status of seen) statuses[status] = (statuses[status] ?? 0) + 1
      if (!seen.some((status) => status >= 200 && status <= 299)) unacknowledged.push(id)
    }
  }
  try {
    await Promise.all(Array.from({ length: WORKERS }, worker))
  } finally {
    agent.destroy()
    await adapter.close()
  }
  return { runs, statuses, unacknowledged }
}

function post(port: number, agent: Agent, delivery: DeliveryRequest): Promise<number> {
  const { path } = SETUP
  const headers = { ...delivery.headers, [CONTRACT_HEADERS.id]: randomUUID() }
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { host: '127.0.0.1', port, agent, method: 'POST', path, headers },
      (response) => {
        response.resume().on('end', () => resolve(response.statusCode ?? 0))
      },
    )
    outgoing
      .on('error', (error) => {
        // The server may close a connection that was idle at the very moment in which it is used again.
        if (outgoing.reusedSocket) post(port, agent, delivery).then(resolve, reject)
        else reject(error)
      })
      .end(delivery.body)
  })
}

function idOf(delivery: unknown): string {
  const has = typeof delivery === 'object' && delivery !== null && 'id' in delivery
  return has && typeof delivery.id === 'string' ? delivery.id : 'none'
}
