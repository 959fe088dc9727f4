import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { StartAdapter } from '@webhook-receiver/conformance/internal'
import {
  Connection,
  concatRequests,
  deliveryRequest,
  Tally,
} from '@webhook-receiver/conformance/internal'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ClientContext } from './client.ts'
import { HELD, misbehavingClients } from './clients.ts'

/**
 * Options of a node:http server for `describeMisbehavingClients`: by default a server waits five minutes for a request, and
 * checks twice a minute. Longer than the 2 s for which an adapter may read the rest of a rejected request.
 */
export const SHORT_TIMEOUTS = {
  requestTimeout: 3000,
  headersTimeout: 3000,
  connectionsCheckingInterval: 100,
} as const

export interface MisbehavingClientOptions {
  /**
   * How long each response is waited for, in seconds.
   * @default 15
   */
  readonly timeout?: number | undefined
}

/** The result of one client. */
export interface MisbehavingClientResult {
  readonly name: string
  /** One sentence for each thing that is wrong. */
  readonly problems: readonly string[]
}

/**
 * Runs misbehaving clients against an adapter, one test each: clients that are slow, that reset or half-close the
 * connection at each stage, that pipeline, and that send another delivery after each kind of rejection. Create the server
 * with `SHORT_TIMEOUTS`. Call it at the top level of a test file.
 *
 * @example
 * describeMisbehavingClients('my receiver', ({ secret, now, path, onDelivery }) =>
 *   listening(createServer(SHORT_TIMEOUTS, webhookHandler(secret, onDelivery, { now, path }))),
 * )
 */
export function describeMisbehavingClients(name: string, start: StartAdapter): void {
  describe(`${name}, with misbehaving clients`, () => {
    const tally = new Tally()
    let results: readonly MisbehavingClientResult[] = []
    beforeAll(async () => {
      tally.watch()
      results = await runMisbehavingClients(start)
    }, 60_000)
    afterAll(() => tally.unwatch())

    test.each(misbehavingClients.map((client) => client.name))('a client that %s', (client) => {
      expect(results.find((result) => result.name === client)?.problems).toEqual([])
    })

    test('leaves no error uncaught', () => expect(tally.uncaught).toEqual([]))
  })
}

/** Runs all clients against an adapter at the same time, without tests, and resolves to their results. */
export async function runMisbehavingClients(
  start: StartAdapter,
  { timeout = 15 }: MisbehavingClientOptions = {},
): Promise<MisbehavingClientResult[]> {
  const handler = new CountingHandler()
  const setup = {
    secret: 'whsec_misbehaving',
    now: Date.now,
    path: '/webhooks',
    onDelivery: handler.onDelivery,
  }
  const adapter = await start(setup)
  const response: ClientContext['response'] = (connection) =>
    connection.finalReply('POST', performance.now() + timeout * 1000)
  const open = () => Connection.open(adapter.port)

  const deliveryIsHandled = async (): Promise<string[]> => {
    const connection = await open()
    const id = randomUUID()
    void connection.write(concatRequests(deliveryRequest(setup, id)))
    const reply = await response(connection)
    connection.close()
    const right = typeof reply !== 'string' && reply.status < 300 && handler.runs(id) === 1
    return right ? [] : ['a delivery afterwards was not handled']
  }
  const runClient = async ({
    name,
    run,
  }: (typeof misbehavingClients)[number]): Promise<MisbehavingClientResult> => {
    const prefix = randomUUID()
    const id = (label: string) => `${prefix}-${label}`
    const problems = await run({
      open,
      response,
      request: (label, fault) => deliveryRequest(setup, id(label), fault),
      runs: (label) => handler.runs(id(label)),
      started: (label) =>
        Promise.race([
          handler.started(id(label)),
          delay(timeout * 1000, undefined, { ref: false }),
        ]),
      release: (label) => handler.release(id(label)),
    })
    return { name, problems: [...problems, ...(await deliveryIsHandled())] }
  }
  try {
    return await Promise.all(misbehavingClients.map(runClient))
  } finally {
    await adapter.close()
  }
}

/** Counts its runs by the id of the delivery. A delivery whose content is HELD waits for `release`. */
class CountingHandler {
  readonly #runs = new Map<string, number>()
  readonly #started = new Map<string, Signal>()
  readonly #released = new Map<string, Signal>()

  readonly onDelivery = async (delivery: unknown): Promise<void> => {
    // What reaches a handler has the shape of the contract.
    const { id, data } = delivery as { id: string; data: { data: Record<string, unknown> } }
    this.#runs.set(id, this.runs(id) + 1)
    signalOf(this.#started, id).resolve()
    if (data.data.boom === true) throw new Error('the handler fails on purpose')
    if (data.data.held === HELD.held) await signalOf(this.#released, id).promise
  }

  runs(id: string): number {
    return this.#runs.get(id) ?? 0
  }

  started(id: string): Promise<void> {
    return signalOf(this.#started, id).promise
  }

  release(id: string): void {
    signalOf(this.#released, id).resolve()
  }
}

interface Signal {
  readonly promise: Promise<void>
  readonly resolve: () => void
}

function signalOf(signals: Map<string, Signal>, id: string): Signal {
  const existing = signals.get(id)
  if (existing) return existing
  let resolve = (): void => {}
  const promise = new Promise<void>((settle) => {
    resolve = settle
  })
  const signal = { promise, resolve }
  signals.set(id, signal)
  return signal
}
