import type { Scheme, Verification } from '@webhook-receiver/core'
import {
  checkDeliveryKey,
  contract,
  defaultEndpoint,
  digestOf,
  type GivenDuplicates,
  keeping,
  madeBy,
  printError,
  requireDecided,
  requireDuplicates,
  storeFailed,
  storeKeyOf,
  storeTooSlow,
  tenantIn,
  withTimeout,
} from '@webhook-receiver/core/internal'
import { type Added, STORE_TIMEOUT } from './add.ts'
import type { Row } from './database.ts'
import { storable } from './failures.ts'
import type { Tenant } from './options.ts'

/** What `receive` returns: a handler that stores. */
export type StoreDelivery = (
  delivery: object,
  context: {
    readonly verification: Pick<Verification, 'endpoint' | 'key'> &
      Partial<Pick<Verification, 'unsigned'>>
  },
) => Promise<void>

export interface ReceiveSettings {
  readonly add: (added: Added) => Promise<void>
  readonly wake: () => void
  readonly trace: (() => string | undefined) | undefined
}

/** What is stored of the deliveries of one service. */
export interface ReceivedService {
  readonly scheme: Scheme | undefined
  readonly duplicates: GivenDuplicates
  /** What its order is by; '' for none. */
  readonly laneOf: (delivery: object, context: Tenant) => string
}

/** Returns the handler that stores the deliveries of a service. */
export function createReceive(
  { add, wake, trace }: ReceiveSettings,
  name: string,
  { scheme, duplicates, laneOf }: ReceivedService,
): StoreDelivery {
  const store: StoreDelivery = async (delivery, { verification }) => {
    requireDecided(verification, duplicates)
    // Nothing says how its key was made.
    if (!verification.unsigned) requireDuplicates(scheme ?? contract, duplicates)
    const { scheme: from, event, id }: Row = { ...delivery }
    if (from !== scheme?.name) {
      throw new TypeError(
        `inbox.receive('${name}') got a delivery of another scheme. Give webhookHandler and the inbox the same \`scheme\`.`,
      )
    }
    const { endpoint, key: own } = checkDeliveryKey(verification)
    const key = await storeKeyOf({ endpoint: endpointIn(name, scheme, endpoint), key: own })
    const lane = laneOf(delivery, { tenant: tenantIn(endpoint) })
    const storing = add({
      key,
      // A lane is 64 bits of what PostgreSQL makes of this: of a text, anybody finds another with the same, and waits in front of a stranger.
      lane: lane && (await digestOf([name, lane])),
      service: name,
      event: textOf(event),
      id: textOf(id),
      trace: traceOf(trace),
      delivery: JSON.stringify(delivery),
    })
    await withTimeout(STORE_TIMEOUT, storing, () => storeTooSlow('begin', STORE_TIMEOUT)).catch(
      (error) => {
        throw storeFailed('begin', error)
      },
    )
    wake()
  }
  return keeping(madeBy('@webhook-receiver/inbox', 'inbox', store), duplicates)
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

function textOf(value: unknown): string {
  return typeof value === 'string' ? storable(value) : ''
}

function traceOf(trace: (() => string | undefined) | undefined): string {
  try {
    return textOf(trace?.())
  } catch (error) {
    printError('[webhook-receiver] Inbox: `trace` threw an error.', error)
    return ''
  }
}
