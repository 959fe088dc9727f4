import {
  checkOptions,
  checkValue,
  ENDPOINT,
  functionRule,
  numberRule,
  oneOf,
  optional,
  type Rule,
  rule,
  stringRule,
  wait,
} from '@webhook-receiver/core/internal'
import type { Database, Row } from './database.ts'
import { close } from './ending.ts'
import type { Statements } from './statements.ts'

/** What is known of a stored delivery, without its content. Times are in ISO 8601. */
export interface InboxEntry {
  readonly id: string
  readonly service: string
  readonly event?: string
  /** The id of the delivery, if it has one. */
  readonly deliveryId?: string
  /** The service, a colon and the `verification.key`. In front of the colon, a slash and the name of the tenant, if there is one. */
  readonly key: string
  /** `waiting`: for its turn or its next attempt. `dead`: it failed in every attempt. */
  readonly state: InboxState
  /** How often its handler was started. */
  readonly attempts: number
  /** How often the process ended meanwhile, if it did. */
  readonly deaths?: number
  /** What the last failed attempt threw, until the delivery is done. */
  readonly error?: string
  readonly receivedAt: string
  /** When its next attempt is due. Missing while it waits for another of its key. */
  readonly due?: string
  readonly finishedAt?: string
}

export type InboxState = (typeof STATES)[number]

const STATES = ['waiting', 'running', 'done', 'dead'] as const

/** How much of one service is open, and how much of it is dead. */
export interface InboxStats {
  readonly service: string
  /** Whether this inbox has handlers for it. */
  readonly handled: boolean
  readonly waiting: number
  readonly running: number
  readonly dead: number
  /** How long ago the one became due that has waited longest, in seconds. 0 if none is due. */
  readonly oldestDue: number
}

/** Which deliveries `list` returns. */
export interface InboxSelection {
  readonly state?: InboxState | undefined
  readonly service?: string | undefined
  /** @default 100 */
  readonly limit?: number | undefined
  /** The `id` of the last entry of the page before. */
  readonly before?: string | undefined
}

/** Which deliveries `retry` handles again. */
export interface InboxRetry {
  /** @default 'dead' */
  readonly state?: 'dead' | 'done' | undefined
  /** @default every service */
  readonly service?: string | undefined
  /** Only those that were received before the one with this `id`. */
  readonly before?: string | undefined
  /** Only those that were received after the one with this `id`: to go on, the `last` of an earlier call. */
  readonly after?: string | undefined
  /** How many a second, at most. @default 100 */
  readonly rate?: number | undefined
  /** Called after each step, with the result up to there. */
  readonly onProgress?: ((retried: InboxRetried) => void) | undefined
  /** Ends it after the current step. */
  readonly signal?: AbortSignal | undefined
}

/** What `retry` did. */
export interface InboxRetried {
  readonly retried: number
  /** The `id` of the last one, if there was one. */
  readonly last?: string
}

/** Whose deliveries `forget` deletes. */
export interface InboxForget {
  readonly service: string
  /** Gets each delivery of the service, and returns whether to delete it, or a promise of that. */
  readonly where: (delivery: Readonly<Record<string, unknown>>) => boolean | Promise<boolean>
}

/** What operators do with an inbox. */
export interface InboxOperators {
  /** The latest first, without the content of the deliveries. */
  list(options?: InboxSelection): Promise<InboxEntry[]>
  /** An entry with its delivery; `undefined` if there is none. */
  show(id: string): Promise<(InboxEntry & { readonly delivery: unknown }) | undefined>
  /** How deep the inbox is, for each of its services and for those that the table has beside them. */
  stats(): Promise<InboxStats[]>
  /** Handles a delivery again that is dead or done. Resolves to false if there is none with this id. */
  retry(id: string): Promise<boolean>
  /**
   * Handles many again, in the order in which they were received, so many a second. Each is retried once, also if it is dead again
   * meanwhile. What is not retried yet after an interruption is dead as before.
   */
  retry(options: InboxRetry): Promise<InboxRetried>
  /**
   * Deletes deliveries of a service with their content, in whatever state they are, such as those of one person. Copies that come
   * later are handled. Resolves to how many were deleted; waits for handlers that run.
   */
  forget(options: InboxForget): Promise<number>
}

export interface OperatorSettings {
  readonly database: Database
  readonly statements: Statements
  /** The names of the services with handlers. */
  readonly names: readonly string[]
  readonly timeout: number
  readonly newToken: () => string
  /** Makes workers of this process look at once. */
  readonly wake: () => void
}

const ID = stringRule("the id of an entry, such as '17'", /^[1-9]\d{0,17}$/)

const LIST = {
  state: [optional(oneOf(STATES))],
  service: [optional(ENDPOINT)],
  limit: [numberRule({ from: 1, to: 10_000, whole: true }), 100],
  before: [optional(ID)],
} as const

const SIGNAL: Rule<AbortSignal | undefined> = rule(
  'an AbortSignal',
  (value) => value === undefined || typeof Object(value).aborted === 'boolean',
)

const RETRY = {
  state: [oneOf(['dead', 'done'] as const), 'dead'],
  service: [optional(ENDPOINT)],
  before: [optional(ID)],
  after: [optional(ID)],
  rate: [numberRule({ from: 1, to: 10_000, whole: true }), 100],
  onProgress: [optional(functionRule<(retried: InboxRetried) => void>('a function'))],
  signal: [SIGNAL],
} as const

const FORGET = {
  service: [ENDPOINT],
  where: [functionRule<InboxForget['where']>("a function, such as ({ id }) => id === 'evt_1'")],
} as const

/** How many deliveries are retried, or read by `forget`, in one step. */
const STEP = 100

/** How long `forget` waits for a handler between two looks, in milliseconds. */
const BUSY = 100

export function createOperators(settings: OperatorSettings): InboxOperators {
  const { database, statements, names, wake } = settings
  const { ask } = database

  function retry(id: string): Promise<boolean>
  function retry(options: InboxRetry): Promise<InboxRetried>
  async function retry(given: string | InboxRetry): Promise<boolean | InboxRetried> {
    if (typeof given === 'object') return retryMany(settings, given)
    const states = JSON.stringify(['dead', 'done'])
    const rows = await ask(statements.retry, checkValue('id', given, ID), states, '', 0, '', 1)
    wake()
    return rows.length > 0
  }

  return {
    async list(given = {}) {
      const checked = checkOptions(given, LIST, "{ state: 'dead' }")
      const { state = '', service = '', before = '', limit } = checked
      return (await ask(statements.list, state, service, before, limit)).map(entryOf)
    },

    async show(id) {
      const [row] = await ask(statements.show, checkValue('id', id, ID))
      return row && { ...entryOf(row), delivery: JSON.parse(String(row.delivery)) }
    },

    async stats() {
      const found = (await ask(statements.stats)).map(({ entry }) => JSON.parse(String(entry)))
      const counted = new Map(found.map((each) => [each.service, each]))
      const nothing = { waiting: 0, running: 0, dead: 0, oldestDue: 0 }
      const all = [...new Set([...names, ...counted.keys()])].sort()
      return all.map((service) => ({
        ...{ service, handled: names.includes(service) },
        ...nothing,
        ...counted.get(service),
      }))
    },

    retry,
    forget: (given) => forget(settings, given),
  }
}

function entryOf(row: Row): InboxEntry {
  return JSON.parse(String(row.entry))
}

async function retryMany(
  { database: { ask }, statements, wake }: OperatorSettings,
  given: InboxRetry,
): Promise<InboxRetried> {
  const checked = checkOptions(given, RETRY, "{ state: 'dead' }")
  const { state, service = '', before = '', after = '0', rate, onProgress, signal } = checked
  const step = Math.min(STEP, rate)
  const states = JSON.stringify([state])
  let done: InboxRetried = { retried: 0 }
  while (!signal?.aborted) {
    const values = ['', states, service, done.last ?? after, before, step]
    const rows = await ask(statements.retry, ...values)
    wake()
    if (rows.length > 0) {
      done = { retried: done.retried + rows.length, last: String(rows.at(-1)?.id) }
      onProgress?.(done)
    }
    if (rows.length < step) break
    await wait((step / rate) * 1000, signal)
  }
  return done
}

async function forget(settings: OperatorSettings, given: InboxForget): Promise<number> {
  const { database, statements } = settings
  const { service, where } = checkOptions(given, FORGET, '{ service, where }')
  let deleted = 0
  for (let last = '0'; ; ) {
    const page = await database.ask(statements.page, service, last, STEP)
    for (const { id, delivery } of page) {
      if (await where(JSON.parse(String(delivery))))
        deleted += await forgetOne(settings, String(id))
    }
    if (page.length < STEP) return deleted
    last = String(page.at(-1)?.id)
  }
}

/** An open one ends first, so that the next of its key has its turn. Resolves to how many it deleted: 0 if a sweep or another call was faster. */
async function forgetOne(
  { database, statements, timeout, newToken, wake }: OperatorSettings,
  id: string,
): Promise<0 | 1> {
  // While another of its key runs, its claim is made again and again: it would be taken for that of a worker that was killed.
  const ending = { id, token: newToken(), state: 'done', error: '', death: 0 } as const
  for (; ; await wait(BUSY)) {
    const [open] = await database.ask(statements.seize, id, ending.token)
    if (open) {
      if (!(await close(database, statements, ending, timeout))) continue
      wake()
    }
    const [found] = await database.ask(statements.forget, id)
    if (!found) return 0
    if (found.id) return 1
  }
}
