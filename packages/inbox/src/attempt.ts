import { type TransactionalDeliveryStore, WebhookError } from '@webhook-receiver/core'
import { describeError } from '@webhook-receiver/core/adapter'
import { type HandleDelivery, storeKeyOf } from '@webhook-receiver/core/internal'
import { isAbandoned } from '@webhook-receiver/core/store'
import type { Ask, Database, Row } from './database.ts'
import type { FailedAttempt } from './options.ts'
import type { Statements } from './statements.ts'

/** A delivery that this worker has claimed. */
export interface Claimed {
  readonly id: string
  readonly token: string
  readonly service: string
  readonly key: string
  readonly attempt: number
  readonly error: string | null
  readonly delivery: string
  /** Set when its handler is started. */
  begun?: boolean
}

/** The deliveries that are being handled in this process, by what the store gets as their keys. */
export type Claims = Map<string, Claimed>

/** The store behind the handlers of an inbox: a delivery is done in the transaction of its effects, in its own row. */
export function inboxStore(
  { ask: askOutside, transact }: Database,
  { hold, end, disconnect }: Statements,
  claims: Claims,
): TransactionalDeliveryStore<unknown> {
  return {
    // For operators, who have `retry` here.
    forget: async () => false,
    async transact(key, work) {
      const claimed = claims.get(key)
      let held: Row | undefined
      await transact(async (client, ask) => {
        ;[held] = claimed ? await ask(hold, claimed.id, claimed.token) : []
        if (!claimed || !held) return
        const { id, token } = claimed
        const { backend, since } = held
        claimed.begun = true
        try {
          await work(client)
        } catch (error) {
          // Before the roll-back: nothing that the handler sends later may run in the transaction of another.
          if (isAbandoned(error)) await askOutside(disconnect, Number(backend), String(since))
          throw error
        }
        const done = await ask(end, id, token, 'done', '', 0, 0, String(since))
        if (done.length === 0) throw new Error(ENDED)
      })
      return held ? { status: 'claimed' } : { status: 'in_progress', retryAfter: 1 }
    },
  }
}

const ENDED =
  'The handler ended its transaction. Do not send COMMIT or ROLLBACK in a handler. To roll back, throw an error.'

/** Handles a delivery from its JSON. */
export type HandleStored = (
  stored: string,
  options: Parameters<HandleDelivery<unknown>>[1],
) => ReturnType<HandleDelivery<unknown>>

export interface AttemptSettings {
  readonly ask: Ask
  readonly statements: Statements
  readonly claims: Claims
  readonly handlerOf: (service: string) => HandleStored
  readonly attempts: number
  readonly wait: (attempt: number) => number
  readonly onError: (error: unknown, failed: FailedAttempt) => void
}

/** How long a delivery that could not be begun is left alone, in seconds. */
const PAUSE = 0.5

/** How much of an error is kept, in characters. */
const LONGEST = 8000

/** Returns the function that handles what was claimed. It rejects only if PostgreSQL cannot be reached. */
export function createAttempts(settings: AttemptSettings): (claimed: Claimed) => Promise<void> {
  const { ask, statements, claims, handlerOf, attempts, wait, onError } = settings

  async function fail({ id, token, service, attempt }: Claimed, error: unknown): Promise<void> {
    const dead = attempt >= attempts
    onError(error, { id, service, attempt, dead })
    const text = storable(describeError(error).stack.slice(0, LONGEST))
    const [state, pause] = dead ? ['dead', 0] : ['waiting', Math.max(0, wait(attempt))]
    await ask(statements.end, id, token, state, text, pause, 0, '')
  }

  return async function handle(claimed) {
    const { id, token, service, key, attempt, error, delivery } = claimed
    if (attempt > attempts) {
      const last = error === null ? '' : ` The last error was: ${error}`
      return fail(claimed, new Error(`In attempt ${attempt - 1} the process ended.${last}`))
    }
    const name = await storeKeyOf({ endpoint: service, key })
    claims.set(name, claimed)
    try {
      const known = { endpoint: service, key, context: { key, attempt, tenant: tenantOf(key) } }
      const outcome = await handlerOf(service)(delivery, known)
      if (outcome === 'ignored') await ask(statements.end, id, token, 'done', '', 0, 0, '')
    } catch (thrown) {
      if (claimed.begun || !(thrown instanceof WebhookError)) return await fail(claimed, thrown)
      await ask(statements.end, id, token, 'waiting', '', PAUSE, 1, '')
    } finally {
      claims.delete(name)
    }
  }
}

/** The tenant in a key, whose endpoint has slashes in place of colons: two in front of a name that the application gave. */
function tenantOf(key: string): string | undefined {
  const [, first, , second] = key.slice(0, key.indexOf(':')).split('/')
  return first || second
}

/** PostgreSQL has no place for NUL or for half of a surrogate pair. */
export function storable(text: string): string {
  return text.replaceAll(/\0|\p{Surrogate}/gu, '\ufffd')
}
