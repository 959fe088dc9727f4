import {
  createDeliveryHandler,
  type HandlingOptions,
  parseStoredDelivery,
} from '@webhook-receiver/core'
import {
  checkOptions,
  checkValue,
  describeKind,
  ENDPOINT,
  ignore,
  numberRule,
  printError,
} from '@webhook-receiver/core/internal'
import { createAdd } from './add.ts'
import { createAttempts, type HandleStored } from './attempt.ts'
import { createClaims } from './claims.ts'
import { databaseOf, type InboxConnection } from './database.ts'
import { giveBack } from './ending.ts'
import { createOperators, type InboxOperators } from './operators.ts'
import { CONCURRENCY, type FailedAttempt, type InboxOptions, OPTIONS, SERVICE } from './options.ts'
import { createReceive, type ReceivedService, type StoreDelivery } from './receive.ts'
import { setUp } from './schema.ts'
import { statementsFor } from './statements.ts'
import { type Handling, inboxStore } from './store.ts'
import { createSweep } from './sweep.ts'
import { type InboxWorker, startWorker } from './worker.ts'

/** An inbox in tables of PostgreSQL. */
export interface Inbox<Name extends string> extends InboxOperators {
  /**
   * Creates the tables if they are missing, and what a newer release needs. If nothing is missing it only reads the catalogue.
   * Several processes can call it at the same time.
   */
  setup(): Promise<void>
  /**
   * Returns the handler for `webhookHandler`, which stores each delivery once. Then the service gets its success. If PostgreSQL
   * cannot store it within two seconds, the status is 503.
   */
  receive(service: Name): StoreDelivery
  /** Begins to handle deliveries. Any number of processes can. */
  work(options?: InboxWork): Promise<InboxWorker>
}

export interface InboxWork {
  /** How many at once. @default 4 */
  readonly concurrency?: number | undefined
  /**
   * How long a worker waits until it looks again for what other processes have stored, in seconds. Make it longer for a database that
   * should sleep. Anything but a number from 0.01 to 3600 is a TypeError. @default 0.03
   */
  readonly poll?: number | undefined
}

/** A copy was recognised when it was stored, no service waits for the worker, and `onError` gets every failure. */
const HANDLING = {
  duplicates: 'body',
  timeout: Number.POSITIVE_INFINITY,
  onRejected: false,
} as const

const WORK = {
  concurrency: [CONCURRENCY, 4],
  poll: [numberRule({ from: 0.01, to: 3600 }), 0.03],
} as const

/**
 * Creates an inbox: deliveries are stored, acknowledged, and handled afterwards by `work`, in this process or another.
 *
 * @throws TypeError for an invalid option; it says what to write instead.
 *
 * @example
 * const inbox = postgresInbox({ pool, services: { stripe: { scheme: stripe, handlers } } })
 * app.post('/webhooks/stripe', webhookHandler(secret, inbox.receive('stripe'), { scheme: stripe }))
 * await inbox.work({ concurrency: 4 })
 */
export function postgresInbox<Name extends string, Schemes, const Schemas, Transaction>(
  options: InboxOptions<Schemes, Schemas, Transaction> & {
    readonly services: Readonly<Record<Name, unknown>>
  },
): Inbox<Name> {
  const checked = checkOptions(options, OPTIONS, '{ pool, services: { stripe: { handlers } } }')
  const { table, timeout, onIgnored, trace } = checked
  const onError = guarded(checked.onError ?? print)
  // The rules have checked what the types say.
  const database = databaseOf(options as InboxConnection<unknown>, table)
  const { ask } = database
  const names = Object.keys(checked.services)
  const statements = statementsFor(table, names.length)
  const handling: Handling = new Map()
  const store = inboxStore(database, statements, handling, timeout)
  const services = servicesOf(checked.services, {
    ...HANDLING,
    ...{ store, abandonAfter: timeout, onIgnored },
  })
  const handlerOf = (name: string) => serviceNamed(services, name).handle
  const wakers = new Set<() => void>()
  const wake = () => {
    for (const each of wakers) each()
  }
  const newToken = () => crypto.randomUUID()
  const known = { database, ask, statements, names, timeout, newToken, wake }
  const add = createAdd(ask, statements)

  return {
    ...createOperators(known),
    setup: () => setUp(ask, table),
    receive: (name) => createReceive({ add, wake, trace }, name, serviceNamed(services, name)),
    async work(given = {}) {
      const { concurrency, poll } = checkOptions(given, WORK, '{ concurrency: 4 }')
      checkWork(names, concurrency, checked.pool)
      const limits = new Map([...services].map(([name, { most }]) => [name, most ?? concurrency]))
      const worker = startWorker({
        ...{ concurrency, poll, onOutage: onError },
        ...createClaims({ ...known, limits }),
        leave: ({ id, token }) => giveBack(database, statements, id, token),
        handle: createAttempts({ ...checked, ...known, onError, handling, handlerOf }),
        sweep: createSweep({ ...checked, ...known }),
      })
      wakers.add(worker.wake)
      return {
        stop() {
          wakers.delete(worker.wake)
          return worker.stop()
        },
      }
    },
  }
}

function checkWork(names: readonly string[], concurrency: number, pool: object | undefined): void {
  if (names.length === 0) throw new TypeError('The inbox has no `services` to handle.')
  // The option of a pool of pg. A delivery that waits for a connection would be claimed again and again.
  const { max } = Object(Object(pool).options)
  if (max <= concurrency) {
    throw new TypeError(
      `\`concurrency\` should be below the \`max\` of the pool, which is ${max}; got ${concurrency}.`,
    )
  }
}

interface Service extends ReceivedService {
  readonly handle: HandleStored
  /** How many at once. */
  readonly most: number | undefined
}

type ServiceSettings = HandlingOptions<never, unknown>

function servicesOf(
  given: Readonly<Record<string, unknown>>,
  settings: ServiceSettings,
): ReadonlyMap<string, Service> {
  return new Map(
    Object.entries(given).map(([endpoint, service]) => [
      checkValue('the name of a service', endpoint, ENDPOINT),
      serviceOf(service, { ...settings, endpoint }),
    ]),
  )
}

function serviceNamed(services: ReadonlyMap<string, Service>, name: string): Service {
  const service = services.get(name)
  if (service) return service
  throw new TypeError(
    `There is no service '${name}' in the inbox. There are: ${[...services.keys()].join(', ')}.`,
  )
}

function serviceOf(
  given: unknown,
  settings: ServiceSettings & { readonly endpoint: string },
): Service {
  const checked = checkOptions(given, SERVICE, '{ scheme: stripe, handlers }')
  const { scheme, handlers, schemas, duplicates, key, concurrency } = checked
  const handle = createDeliveryHandler(handlers, { ...settings, scheme })
  return {
    scheme,
    duplicates,
    most: concurrency,
    handle: async (stored, options) =>
      handle(parseStoredDelivery(stored, { scheme, schemas }), options),
    laneOf(delivery, context) {
      const lane = key?.(delivery, context) ?? ''
      if (typeof lane === 'string' || typeof lane === 'number') return String(lane)
      ignore(lane)
      throw new TypeError(
        `\`key\` of ${settings.endpoint} should return a string, a number or undefined; got ${describeKind(lane)}.`,
      )
    },
  }
}

type OnError = (error: unknown, failed?: FailedAttempt) => void

/** What the application's function throws is printed, and what it waits for is not waited for. */
function guarded(onError: (...given: Parameters<OnError>) => unknown): OnError {
  return (...given) => {
    const threw = (error: unknown) =>
      printError('[webhook-receiver] Inbox: `onError` threw an error.', error)
    new Promise((resolve) => resolve(onError(...given))).catch(threw)
  }
}

function print(error: unknown, failed?: FailedAttempt): void {
  const what = failed
    ? `Attempt ${failed.attempt} of ${failed.service} delivery ${failed.id} failed${failed.dead ? ', and was the last' : ''}.`
    : 'The worker cannot use PostgreSQL, and tries again.'
  printError(`[webhook-receiver] Inbox: ${what}`, error)
}
