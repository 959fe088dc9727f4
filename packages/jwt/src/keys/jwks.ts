import {
  BOOLEAN,
  CLOCK,
  checkOptions,
  functionRule,
  getText,
  isRecord,
  type Loader,
  loader,
  NotThere,
  optional,
} from '@webhook-receiver/core/internal'
import type { Algorithm } from './algorithm.ts'
import { importPublicKey, isFor, type Jwk } from './jwk.ts'
import type { FetchOptions, KeySource } from './source.ts'

export interface JwksOptions extends FetchOptions {
  /** Whether these are the keys of one account only, as where each customer has a URL. @default false */
  readonly isOneAccount?: boolean | undefined
}

const OPTIONS = /* @__PURE__ */ optionTable()

/* @__NO_SIDE_EFFECTS__ */
function optionTable() {
  return {
    fetch: [optional(functionRule<typeof fetch>('a function like the global fetch'))],
    now: [CLOCK, () => Date.now()],
    isOneAccount: [BOOLEAN, false],
  } as const
}

/** How long a set is used before it is fetched again, and how long if that fails, in milliseconds. */
const FRESH = 600_000
const LONGEST = 86_400_000

const MOST_BYTES = 262_144
const MOST_KEYS = 100

type Keys = ReadonlyMap<string, CryptoKey>

interface KeySet {
  readonly load: Loader<Keys>
  fresh: { readonly keys: Keys; readonly since: number } | undefined
}

/**
 * The keys of a key set (RFC 7517) at a URL of the service, which is fixed: no request names another one. It is fetched once for all
 * requests that need it, again after ten minutes or for a key that it does not have (at most every 30 s), and its keys stay in use for a
 * day while that fails.
 *
 * @throws TypeError for anything but an HTTPS URL.
 *
 * @example
 * jwks('https://www.googleapis.com/oauth2/v3/certs')
 */
export function jwks(url: string, options: JwksOptions = {}): KeySource {
  const checked = checkOptions(options, OPTIONS, '{ isOneAccount: true }')
  const { fetch: fetching = fetch, now, isOneAccount } = checked
  if (typeof url !== 'string' || !url.startsWith('https://') || !URL.canParse(url)) {
    throw new TypeError('The URL of a key set should begin with https://.')
  }
  const sets = new Map<Algorithm, KeySet>()
  const setFor = (algorithm: Algorithm) => {
    const known = sets.get(algorithm)
    if (known) return known
    const made: KeySet = {
      load: loader<Keys>({ now, random: Math.random }, async () => {
        const keys = await keysIn(await getText(fetching, url, MOST_BYTES), algorithm)
        const time = now()
        made.fresh = { keys, since: time }
        return { value: keys, staleFrom: time + FRESH, until: time + LONGEST }
      }),
      fresh: undefined,
    }
    sets.set(algorithm, made)
    return made
  }
  return {
    from: new URL(url).host,
    isShared: !isOneAccount,
    needsAudience: !isOneAccount,
    find({ kid }, algorithm) {
      if (typeof kid !== 'string') return undefined
      const { load, fresh } = setFor(algorithm)
      // For most requests, so that they need not wait for a promise.
      const age = now() - (fresh?.since ?? Number.NaN)
      // Not if the clock was set back.
      const known = age >= 0 && age < FRESH ? fresh?.keys.get(kid) : undefined
      return known ?? load(url, (keys) => keys.has(kid)).then((keys) => keys.get(kid))
    },
  }
}

/** Those of a set that are for this algorithm, by their ids. Of two such keys with one id, neither counts. */
async function keysIn(text: string, algorithm: Algorithm): Promise<Keys> {
  const set: unknown = JSON.parse(text)
  if (!isRecord(set) || !Array.isArray(set.keys)) throw new Error('it is not a set of keys')
  const jwks: readonly unknown[] = set.keys.slice(0, MOST_KEYS)
  const named = jwks.filter(
    (jwk): jwk is Jwk => isRecord(jwk) && typeof jwk.kid === 'string' && isFor(jwk, algorithm),
  )
  const keys = new Map<string, CryptoKey>()
  for (const jwk of named) {
    const id = String(jwk.kid)
    const key = await importPublicKey(jwk, algorithm)
    if (key && named.filter(({ kid }) => kid === id).length === 1) keys.set(id, key)
  }
  // Also if it had some: a service may have withdrawn the only one.
  if (keys.size === 0) throw new NotThere(`it has no key for ${algorithm}`)
  return keys
}
