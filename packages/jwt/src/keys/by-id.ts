import {
  BOOLEAN,
  CLOCK,
  checkOptions,
  isCallable,
  isRecord,
  loader,
  NotThere,
  stringRule,
  withTimeout,
} from '@webhook-receiver/core/internal'
import type { Algorithm } from './algorithm.ts'
import { importPublicKey, type Jwk } from './jwk.ts'
import type { KeySource } from './source.ts'

export interface KeyByIdOptions {
  /** Where the keys come from, for messages. @default 'the service' */
  readonly from?: string | undefined
  /** Whether one key signs for many accounts, so that `account` is required. @default false */
  readonly isShared?: boolean | undefined
  /** The clock: milliseconds since the epoch. @default Date.now */
  readonly now?: (() => number) | undefined
}

const OPTIONS = /* @__PURE__ */ optionTable()

/* @__NO_SIDE_EFFECTS__ */
function optionTable() {
  return {
    from: [stringRule('a non-empty string', /./s), 'the service'],
    isShared: [BOOLEAN, false],
    now: [CLOCK, () => Date.now()],
  } as const
}

/** How long a key is used before it is asked for again, and how long if that fails, in milliseconds. */
const FRESH = 600_000
const LONGEST = 86_400_000

type Imported = Partial<Record<Algorithm, ReturnType<typeof importPublicKey>>>

const ID = /^[\w.:+=-]{1,128}$/

/** How long the function may take, in seconds. */
const PATIENCE = 5

/**
 * The keys that a service gives by their id, as with credentials of yours. The function is called once for all requests that need a key, at
 * most eight times at once, and its keys are kept; an id that it does not know is not asked for again for ten seconds.
 *
 * @param get returns the key as JSON, or `undefined` for an id that is unknown or no longer valid. If it throws, or takes more than 5 s,
 * the status is 503.
 *
 * @example
 * keyById(async (id) => (await plaid.webhookVerificationKeyGet({ key_id: id })).data.key)
 */
export function keyById(
  get: (id: string) => Promise<object | undefined>,
  options: KeyByIdOptions = {},
): KeySource {
  if (!isCallable(get)) throw new TypeError('Pass a function that returns a key.')
  const { from, isShared, now } = checkOptions(options, OPTIONS, "{ from: 'Plaid' }")
  const load = loader<Jwk>({ now, random: Math.random }, async (id) => {
    const late = () => new Error(`the function of keyById() took more than ${PATIENCE} s`)
    const jwk = await withTimeout(PATIENCE, Promise.resolve(get(id)), late)
    if (!jwk) throw new NotThere()
    if (!isRecord(jwk) || !('kty' in jwk)) {
      throw new TypeError('The function of keyById() should return a key as JSON, which has `kty`.')
    }
    const time = now()
    return { value: { ...jwk }, staleFrom: time + FRESH, until: time + LONGEST }
  })
  // Two services may have one source, and sign by another algorithm each.
  const imported = new WeakMap<Jwk, Imported>()
  return {
    from,
    isShared,
    async find({ kid }, algorithm) {
      if (typeof kid !== 'string' || !ID.test(kid)) return undefined
      try {
        const jwk = await load(kid)
        const keys = imported.get(jwk) ?? {}
        imported.set(jwk, keys)
        keys[algorithm] ??= importPublicKey(jwk, algorithm)
        return await keys[algorithm]
      } catch (error) {
        if (error instanceof NotThere) return undefined
        throw error
      }
    },
  }
}
