import {
  createDeliveryHandler,
  type HandlerContext,
  type HandlingOptions,
  parseStoredDelivery,
  type Scheme,
  type Verification,
} from '@webhook-receiver/core'
import type { ContractKind, NoSchemas } from '@webhook-receiver/core/adapter'
import {
  checkDeliveryKey,
  checkOptions,
  checkValue,
  contract,
  type DeliveryHandlers,
  DUPLICATES,
  defaultEndpoint,
  describeKind,
  ENDPOINT,
  type GivenDuplicates,
  keeping,
  madeBy,
  numberRule,
  oneOf,
  optional,
  printError,
  requireDecided,
  storeFailed,
  storeKeyOf,
  storeTooSlow,
  stringRule,
  tenantIn,
  withTimeout,
} from '@webhook-receiver/core/internal'
import {
  type Claimed,
  type Claims,
  createAttempts,
  type HandleStored,
  inboxStore,
  storable,
} from './attempt.ts'
import { databaseOf, type InboxConnection, type Row } from './database.ts'
import { migrationOf } from './migration.ts'
import { type FailedAttempt, type InboxOptions, OPTIONS, type Tenant } from './options.ts'
import { statementsFor } from './statements.ts'
import { type InboxWorker, startWorker } from './worker.ts'

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
  /** What the last failed attempt threw. */
  readonly error?: string
  readonly receivedAt: string
  /** When its next attempt is due. */
  readonly due?: string
  readonly finishedAt?: string
}

export type InboxState = (typeof STATES)[number]

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

const STATES = ['waiting', 'running', 'done', 'dead'] as const

/** An inbox in a table of PostgreSQL. */
export interface Inbox<Name extends string> {
  /** Creates the table if it is missing. Several processes can call it at the same time. */
  setup(): Promise<void>
  /**
   * Returns the handler for `webhookHandler`, which stores each delivery once. Then the service gets its success. If PostgreSQL
   * cannot store it within two seconds, the status is 503.
   */
  receive(service: Name): (
    delivery: object,
    context: {
      readonly verification: Pick<Verification, 'endpoint' | 'key'> &
        Partial<Pick<Verification, 'unsigned'>>
    },
  ) => Promise<void>
  /** Begins to handle deliveries, `concurrency` at once (4). Any number of processes can. */
  work(options?: { readonly concurrency?: number | undefined }): Promise<InboxWorker>
  /** The latest first, without the content of the deliveries. */
  list(options?: {
    readonly state?: InboxState | undefined
    readonly service?: string | undefined
    /** @default 100 */
    readonly limit?: number | undefined
    /** The `id` of the last entry of the page before. */
    readonly before?: string | undefined
  }): Promise<InboxEntry[]>
  /** An entry with its delivery; `undefined` if there is none. */
  show(id: string): Promise<(InboxEntry & { readonly delivery: unknown }) | undefined>
  /** How deep the inbox is, for each of its services and for those that the table has beside them. */
  stats(): Promise<InboxStats[]>
  /** Handles a delivery again that is dead or done. Resolves to false if there is none with this id. */
  retry(id: string): Promise<boolean>
}

/** How long a claim holds before its transaction begins, and so how long the deliveries of a killed worker wait, in seconds. */
const LEASE = 5

/** How long the service waits for PostgreSQL, in seconds. */
const STORE_TIMEOUT = 2

/** The most rows that one sweep deletes. */
const SWEEP_SIZE = 1000

/** Lanes are numbers of 64 bits, from this one below zero. */
const FIRST_LANE = 2n ** 63n

/** A copy was recognised when it was stored, no service waits for the worker, and `onError` gets every failure. */
const HANDLING = {
  duplicates: 'body',
  timeout: Number.POSITIVE_INFINITY,
  onRejected: false,
} as const

const ID = stringRule("the id of an entry, such as '17'", /^[1-9]\d{0,17}$/)

const WORK = { concurrency: [numberRule({ from: 1, to: 1000, whole: true }), 4] } as const

const LIST = {
  state: [optional(oneOf(STATES))],
  service: [optional(ENDPOINT)],
  limit: [numberRule({ from: 1, to: 10_000, whole: true }), 100],
  before: [optional(ID)],
} as const

/**
 * Creates an inbox: deliveries are stored, acknowledged, and handled afterwards by `work`, in this process or another.
 *
 * @throws TypeError for an invalid option; it says what to write instead.
 *
 * @example
 * const inbox = postgresInbox({ pool, services: { stripe: { scheme: stripe, handlers } } })
 * app.post('/stripe', webhookHandler(secret, inbox.receive('stripe'), { scheme: stripe }))
 * await inbox.work({ concurrency: 4 })
 */
export function postgresInbox<Name extends string, Schemes, const Schemas, Transaction>(
  options: InboxOptions<Schemes, Schemas, Transaction> & {
    readonly services: Readonly<Record<Name, unknown>>
  },
): Inbox<Name> {
  const checked = checkOptions(options, OPTIONS, '{ pool, services: { stripe: { handlers } } }')
  const { table, attempts, wait, timeout, retention, deadRetention, onError = print } = checked
  const statements = statementsFor(table)
  // The rules have checked what the types say.
  const database = databaseOf(options as InboxConnection<unknown>)
  const { ask } = database
  const claims: Claims = new Map()
  const settings = {
    ...HANDLING,
    store: inboxStore(database, statements, claims),
    abandonAfter: timeout,
    onIgnored: checked.onIgnored,
  }
  const services = new Map(
    Object.entries(checked.services).map(([endpoint, service]) => [
      checkValue('the name of a service', endpoint, ENDPOINT),
      serviceOf(service, { ...settings, endpoint }),
    ]),
  )
  const names = [...services.keys()]
  const handlerOf = (name: string) => serviceNamed(name).handle
  const handle = createAttempts({ ask, statements, claims, handlerOf, attempts, wait, onError })
  const wakers = new Set<() => void>()

  function wake(): void {
    for (const each of wakers) each()
  }

  function serviceNamed(name: string): Service {
    const service = services.get(name)
    if (service) return service
    throw new TypeError(
      `There is no service '${name}' in the inbox. There are: ${names.join(', ')}.`,
    )
  }

  async function claim(most: number): Promise<readonly Claimed[]> {
    const token = crypto.randomUUID()
    const from = async (lane: bigint, limit: number) => {
      const values = [JSON.stringify(names), String(lane - FIRST_LANE), limit, LEASE, token]
      // The statement returns these properties.
      return (await ask(statements.claim, ...values)) as readonly object[] as readonly Claimed[]
    }
    // Anywhere, so that no lane waits longer than the others, and then from the start.
    const found = await from(BigInt(Math.floor(Math.random() * 2 ** 64)), most)
    return found.length === most ? found : [...found, ...(await from(0n, most - found.length))]
  }

  async function sweep(): Promise<boolean> {
    const swept = await ask(statements.sweep, retention, deadRetention, SWEEP_SIZE)
    return swept.length === SWEEP_SIZE
  }

  return {
    async setup() {
      // One statement, without the notices that the table is there, and one at a time: two that begin at once find it missing.
      const body = `BEGIN PERFORM set_config('client_min_messages', 'warning', true);
PERFORM pg_advisory_xact_lock(hashtextextended('webhook-receiver:migration', 0));
${migrationOf({ table })}END`
      // In quotes: of a body between dollar signs, Sequelize makes a parameter.
      await ask(`DO '${body.replaceAll("'", "''")}'`)
    },

    receive(name) {
      const { scheme, duplicates, laneOf } = serviceNamed(name)
      const store: ReturnType<Inbox<Name>['receive']> = async (delivery, { verification }) => {
        requireDecided(verification, duplicates)
        const { scheme: from, event, id }: Row = { ...delivery }
        if (from !== scheme?.name) {
          throw new TypeError(
            `inbox.receive('${name}') got a delivery of another scheme. Give webhookHandler and the inbox the same \`scheme\`.`,
          )
        }
        const { endpoint, key: own } = checkDeliveryKey(verification)
        const key = await storeKeyOf({ endpoint: endpointIn(name, scheme, endpoint), key: own })
        const lane = laneOf(delivery, { tenant: tenantIn(endpoint) })
        const lanes = lane && (await storeKeyOf({ endpoint: name, key: lane }))
        const values = [lanes, name, textOf(event), textOf(id)]
        const storing = ask(statements.add, key, ...values, JSON.stringify(delivery))
        await withTimeout(STORE_TIMEOUT, storing, () => storeTooSlow('begin', STORE_TIMEOUT)).catch(
          (error) => {
            throw storeFailed('begin', error)
          },
        )
        wake()
      }
      return keeping(madeBy('@webhook-receiver/inbox', 'inbox', store), duplicates)
    },

    async work(given = {}) {
      const { concurrency } = checkOptions(given, WORK, '{ concurrency: 4 }')
      if (names.length === 0) throw new TypeError('The inbox has no `services` to handle.')
      // The option of a pool of pg. A delivery that waits for a connection would be claimed again and again.
      const { max } = Object(Object(checked.pool).options)
      if (max <= concurrency) {
        throw new TypeError(
          `\`concurrency\` should be below the \`max\` of the pool, which is ${max}; got ${concurrency}.`,
        )
      }
      const worker = startWorker({ concurrency, claim, handle, sweep, onOutage: onError })
      wakers.add(worker.wake)
      return {
        stop() {
          wakers.delete(worker.wake)
          return worker.stop()
        },
      }
    },

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
        ...{ service, handled: services.has(service) },
        ...nothing,
        ...counted.get(service),
      }))
    },

    async retry(id) {
      const retried = await ask(statements.retry, checkValue('id', id, ID))
      wake()
      return retried.length > 0
    },
  }
}

interface Service {
  readonly scheme: Scheme | undefined
  readonly duplicates: GivenDuplicates
  /** What its order is by; '' for none. */
  readonly laneOf: (delivery: object, context: Tenant) => string
  readonly handle: HandleStored
}

/**
 * The endpoint of a delivery in this table: the service instead of the name that the endpoint has by default. A name that the
 * application gave is kept behind two colons, since behind one is a tenant.
 */
function endpointIn(service: string, scheme: Scheme = contract, endpoint: string): string {
  const own = defaultEndpoint(scheme)
  const isOwn = endpoint === own || endpoint.startsWith(`${own}:`)
  return isOwn ? `${service}${endpoint.slice(own.length)}` : `${service}::${endpoint}`
}

/** The types of one kind of deliveries, in place of all. */
interface AnyService {
  readonly scheme?: Scheme<unknown, ContractKind>
  readonly handlers: DeliveryHandlers<NoSchemas, never, HandlerContext<unknown>>
  readonly schemas?: NoSchemas
  readonly duplicates?: unknown
  readonly key?: (delivery: object, context: Tenant) => unknown
}

function serviceOf(
  given: unknown,
  settings: HandlingOptions<never, unknown> & { readonly endpoint: string },
): Service {
  // Core throws a TypeError for what is not a scheme, nor handlers.
  const { scheme, handlers, schemas, duplicates, key } = Object(given) as AnyService
  const handle = createDeliveryHandler(handlers, { ...settings, scheme })
  return {
    scheme,
    duplicates: checkValue('duplicates', duplicates, DUPLICATES),
    handle: async (stored, options) =>
      handle(parseStoredDelivery(stored, { scheme, schemas }), options),
    laneOf(delivery, context) {
      const lane = key?.(delivery, context) ?? ''
      if (typeof lane === 'string' || typeof lane === 'number') return String(lane)
      throw new TypeError(
        `\`key\` of ${settings.endpoint} should return a string, a number or undefined; got ${describeKind(lane)}.`,
      )
    },
  }
}

function entryOf(row: Row): InboxEntry {
  return JSON.parse(String(row.entry))
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? storable(value) : ''
}

function print(error: unknown, failed?: FailedAttempt): void {
  const what = failed
    ? `Attempt ${failed.attempt} of ${failed.service} delivery ${failed.id} failed${failed.dead ? ', and was the last' : ''}.`
    : 'The worker cannot use PostgreSQL, and tries again.'
  printError(`[webhook-receiver] Inbox: ${what}`, error)
}
