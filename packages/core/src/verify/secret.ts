import { mac } from '#mac'
import { allMaybeAsync } from '../async/all-maybe-async.ts'
import { withTimeoutIfAsync } from '../async/timeout.ts'
import { processWide } from '../copies/process-wide.ts'
import { Refusal, refusalOf } from '../reject/refusal.ts'
import type { MacKey } from './mac.ts'

/** One secret, or several by name for a rotation. With several, any of them may match. */
export type Secrets = string | Readonly<Record<string, string | undefined>> | undefined

/**
 * The secret, or a function that returns it. The function gets the framework's own request or context: for tenants, or for
 * runtimes where the environment is part of the request.
 *
 * The type includes `undefined` so that `process.env.WEBHOOK_SECRET` compiles. At start, `undefined` is a TypeError.
 */
export type SecretSource<Context = unknown> =
  | Secrets
  | ((context: Context) => Secrets | Promise<Secrets>)

/** A secret ready for use. */
export interface SecretKey {
  readonly name: string | undefined
  readonly key: MacKey
  /** The secret in the clear, for its fingerprint. A function, so that nothing prints it by accident. */
  readonly reveal: () => string
}

/** Gives the keys for a request. */
export type KeyRing<Context> = (
  context: Context,
) => readonly SecretKey[] | Promise<readonly SecretKey[]>

/** Keys kept for a secret function, which may serve any number of tenants. */
const MAX_CACHED_KEYS = 1000

/**
 * Prepares the keys of the secrets, now where they are given, else when the function gives them, for which it has
 * `timeout` seconds.
 *
 * @throws TypeError for a secret that cannot be one.
 */
export function createKeyRing<Context>(
  source: SecretSource<Context>,
  timeout: number,
): KeyRing<Context> {
  if (typeof source !== 'function') {
    const keys = allMaybeAsync(checkedSecrets(source).map(prepare))
    return () => keys
  }
  const cache = new Map<string, SecretKey | Promise<SecretKey>>()
  const cached = ([name, secret]: NamedSecret) => {
    const id = JSON.stringify([name, secret])
    const key = cache.get(id) ?? prepare([name, secret])
    // Deleted and set again, so that the map's order is that of last use and its first entry goes first.
    cache.delete(id)
    cache.set(id, key)
    const [oldest = id] = cache.keys()
    if (cache.size > MAX_CACHED_KEYS) cache.delete(oldest)
    return key
  }
  const late = () => new Refusal('secret_unavailable', { seconds: timeout })
  return async (context) => {
    try {
      const given = withTimeoutIfAsync(timeout, source(context), late)
      const secrets = given instanceof Promise ? await given : given
      return await Promise.all(checkedSecrets(secrets).map(cached))
    } catch (cause) {
      throw refusalOf(cause, () => new Refusal('secret_unavailable', undefined, cause))
    }
  }
}

type NamedSecret = readonly [name: string | undefined, secret: string]

function prepare([name, secret]: NamedSecret): SecretKey | Promise<SecretKey> {
  const key = mac.importKey(new TextEncoder().encode(secret))
  const named = (ready: MacKey) => ({ name, key: ready, reveal: () => secret })
  return key instanceof Promise ? key.then(named) : named(key)
}

function checkedSecrets(secrets: unknown): readonly NamedSecret[] {
  if (typeof secrets !== 'object' || secrets === null) {
    return [[undefined, checked('The secret', secrets)]]
  }
  const named = Object.entries(secrets)
  if (named.length > 0 && !Array.isArray(secrets)) {
    return named.map(([name, secret]) => [name, checked(`The secret named "${name}"`, secret)])
  }
  throw new TypeError('Pass named secrets as an object, such as { current, previous }.')
}

function checked(what: string, secret: unknown): string {
  const fault = faultOf(secret)
  if (fault || typeof secret !== 'string') throw new TypeError(`${what} ${fault}`)
  if (!warned.prefix && !secret.startsWith('whsec_')) {
    warned.prefix = true
    console.warn(
      `[webhook-receiver] ${what} does not begin with "whsec_". Was it cut off? The whole string is the key.`,
    )
  }
  return secret
}

const warned = processWide('warned', () => ({ prefix: false }))

function faultOf(secret: unknown): string | undefined {
  if (secret === undefined || secret === '') {
    return `is ${secret === '' ? 'empty' : 'undefined'}: is its environment variable set, for example WEBHOOK_SECRET?`
  }
  if (typeof secret !== 'string') {
    return `is ${secret === null ? 'null' : `a ${typeof secret}`}: give the string`
  }
  if (/^(["'`]).*\1$/s.test(secret)) return 'is in quotes: remove them'
  return /^\s|\s$|[\n\r]/.test(secret)
    ? 'has white space or a line break around it: trim it'
    : undefined
}
