import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { StartAdapter } from './adapter.ts'
import { Connection } from './connection.ts'
import { HELD, type RudeBench, rudeClients } from './rude-clients.ts'
import { inOneWrite, rudeRequest } from './rude-delivery.ts'
import { Tally } from './tally.ts'

/**
 * Options of a node:http server that does not wait long, for `describeRudeClients`: without a limit of its own a
 * server waits for five minutes, and looks at its clock twice a minute. Longer than the 2 s that an adapter may
 * read on in a refused request.
 */
export const IMPATIENT = {
  requestTimeout: 3000,
  headersTimeout: 3000,
  connectionsCheckingInterval: 100,
} as const

export interface RudeOptions {
  /**
   * How long each answer is waited for, in seconds.
   * @default 15
   */
  readonly patience?: number | undefined
}

/** What came of one rude client. */
export interface RudeResult {
  readonly name: string
  /** One sentence for each thing that is wrong. */
  readonly problems: readonly string[]
}

/**
 * Lets clients without manners loose on an adapter, one test each: slow ones, such that reset or shut the
 * connection at each stage, pipelining ones, and such that go on after each kind of refusal. The server has to be
 * made with `IMPATIENT`. Call it at the top level of a test file.
 *
 * @example
 * describeRudeClients('my receiver', ({ secret, now, path, onDelivery }) =>
 *   listening(createServer(IMPATIENT, webhookListener(secret, onDelivery, { now, path }))),
 * )
 */
export function describeRudeClients(name: string, start: StartAdapter): void {
  describe(`${name}, with rude clients`, () => {
    const tally = new Tally()
    let results: readonly RudeResult[] = []
    beforeAll(async () => {
      tally.watch()
      results = await runRudeClients(start)
    }, 60_000)
    afterAll(() => tally.unwatch())

    test.each(rudeClients.map((client) => client.name))('one that %s', (client) => {
      expect(results.find((result) => result.name === client)?.problems).toEqual([])
    })

    test('leaves no error uncaught', () => expect(tally.uncaught).toEqual([]))
  })
}

/** Lets all clients loose on an adapter at once, without tests, and resolves to what came of them. */
export async function runRudeClients(
  start: StartAdapter,
  { patience = 15 }: RudeOptions = {},
): Promise<RudeResult[]> {
  const handler = new CountingHandler()
  const setup = {
    secret: 'whsec_rude',
    now: Date.now,
    path: '/webhooks',
    onDelivery: handler.onDelivery,
  }
  const adapter = await start(setup)
  const answer: RudeBench['answer'] = (connection) =>
    connection.finalReply('POST', performance.now() + patience * 1000)
  const open = () => Connection.open(adapter.port)

  const genuineIsAnswered = async (): Promise<string[]> => {
    const connection = await open()
    const id = randomUUID()
    void connection.write(inOneWrite(rudeRequest(setup, id)))
    const reply = await answer(connection)
    connection.close()
    const right = typeof reply !== 'string' && reply.status < 300 && handler.runs(id) === 1
    return right ? [] : ['a genuine delivery afterwards was not handled']
  }
  const played = async ({ name, play }: (typeof rudeClients)[number]): Promise<RudeResult> => {
    const prefix = randomUUID()
    const id = (label: string) => `${prefix}-${label}`
    const problems = await play({
      open,
      answer,
      request: (label, fault) => rudeRequest(setup, id(label), fault),
      runs: (label) => handler.runs(id(label)),
      begun: (label) =>
        Promise.race([handler.begun(id(label)), delay(patience * 1000, undefined, { ref: false })]),
      release: (label) => handler.release(id(label)),
    })
    return { name, problems: [...problems, ...(await genuineIsAnswered())] }
  }
  try {
    return await Promise.all(rudeClients.map(played))
  } finally {
    await adapter.close()
  }
}

/** Counts its runs by the id of the delivery, and waits where it is told to. */
class CountingHandler {
  readonly #runs = new Map<string, number>()
  readonly #begun = new Map<string, PromiseWithResolvers>()
  readonly #released = new Map<string, PromiseWithResolvers>()

  readonly onDelivery = async (delivery: unknown): Promise<void> => {
    // What reaches a handler has the shape of the contract.
    const { id, data } = delivery as { id: string; data: { data: Record<string, unknown> } }
    this.#runs.set(id, this.runs(id) + 1)
    gate(this.#begun, id).resolve()
    if (data.data.boom === true) throw new Error('the handler fails on purpose')
    if (data.data.held === HELD.held) await gate(this.#released, id).promise
  }

  runs(id: string): number {
    return this.#runs.get(id) ?? 0
  }

  begun(id: string): Promise<void> {
    return gate(this.#begun, id).promise
  }

  release(id: string): void {
    gate(this.#released, id).resolve()
  }
}

interface PromiseWithResolvers {
  readonly promise: Promise<void>
  readonly resolve: () => void
}

function gate(gates: Map<string, PromiseWithResolvers>, id: string): PromiseWithResolvers {
  const known = gates.get(id)
  if (known) return known
  let resolve = (): void => {}
  const promise = new Promise<void>((settle) => {
    resolve = settle
  })
  const made = { promise, resolve }
  gates.set(id, made)
  return made
}
