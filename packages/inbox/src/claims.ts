import type { Ask, Begun } from './database.ts'
import { LOOK, type Statements } from './statements.ts'

/** A delivery that this worker has claimed. */
export interface Claimed {
  readonly id: string
  readonly token: string
  readonly service: string
  readonly key: string
  /** How often its handler was started, with this time. */
  readonly attempt: number
  /** How often the process ended meanwhile. */
  readonly deaths: number
  readonly error: string | null
  readonly trace: string | null
  readonly delivery: string
  /** When it was received, in seconds since the epoch. */
  readonly received: string
  /** `died`: the process ended in this attempt. `doubted`: it may have. `reserved`: to be taken when nothing else runs. */
  readonly claim: 'runs' | 'died' | 'doubted' | 'reserved' | 'sleeps'
  /** Since when the oldest that the look found is due, in seconds since the epoch. */
  readonly oldest?: string
  /** Set when its handler is started. */
  begun?: boolean
  /** Its transaction, if that has begun in the round trip in which the delivery before it ended. */
  held?: Begun | undefined
}

/** Says what is claimed when a delivery ends, in its transaction. */
export type Follow = () => Following | undefined

export interface Following {
  readonly token: string
  /** Those of which the next one may be. */
  readonly services: readonly string[]
  /** The values of `next`, but for the first. */
  readonly values: readonly (string | number)[]
}

/** What one look found. */
export interface Claims {
  readonly claimed: readonly Claimed[]
  /** A delivery whose process ended before: it runs alone, so that it takes no other along. */
  readonly suspect: Claimed | undefined
  /** Whether to look again at once. */
  readonly more: boolean
}

export interface ClaimSettings {
  readonly ask: Ask
  readonly statements: Statements
  /** The most that run at once, by service. */
  readonly limits: ReadonlyMap<string, number>
  readonly timeout: number
  readonly newToken: () => string
}

/**
 * How long a claim holds before its transaction begins, in seconds. The first look afterwards adds two to three: then its worker counts as
 * killed.
 */
const LEASE = 3

/** Returns the functions by which a worker claims deliveries. */
export function createClaims({ ask, statements, limits, timeout, newToken }: ClaimSettings) {
  // The statements return these properties.
  const claimedBy = async (...given: Parameters<Ask>) =>
    (await ask(...given)) as readonly object[] as readonly Claimed[]
  /** The services, and how many of each there is place for. */
  const wantedOf = (most: number, running: ReadonlyMap<string, number>) =>
    [...limits].map(([service, limit]): [string, number] => {
      return [service, Math.max(0, Math.min(most, limit - (running.get(service) ?? 0)))]
    })
  let extra = 0
  let oldest = '0'

  return {
    /** Claims at most so many. `running` says how many run, by service. */
    async claim(most: number, running: ReadonlyMap<string, number>): Promise<Claims> {
      const values = [most, LEASE, newToken(), timeout, extra, ...wantedOf(most, running).flat()]
      const found = await claimedBy(statements.claim, ...values)
      const claimed = found.filter(({ claim }) => claim === 'runs' || claim === 'died')
      const isPutOff = found.some(({ claim }) => claim === 'sleeps' || claim === 'doubted')
      // There may be many that have to wait for others of their key.
      extra = isPutOff ? LOOK : 0
      oldest = found[0]?.oldest ?? '0'
      return {
        claimed,
        suspect: found.find(({ claim }) => claim === 'reserved'),
        more: isPutOff || claimed.length >= Math.min(most, LOOK),
      }
    },

    /** What may be claimed when a delivery ends; `undefined` if no service has room. */
    following(running: ReadonlyMap<string, number>): Following | undefined {
      const wanted = wantedOf(1, running)
      const services = wanted.flatMap(([service, count]) => (count > 0 ? service : []))
      if (services.length === 0) return undefined
      const token = newToken()
      return { token, services, values: [LEASE, token, oldest, ...wanted.flat()] }
    },

    /** Claims a suspect; `undefined` if another has it by now. */
    async take({ id, token }: Claimed): Promise<Claimed | undefined> {
      return (await claimedBy(statements.take, id, LEASE, token))[0]
    },
  }
}
