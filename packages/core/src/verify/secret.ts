import { allMaybeAsync, type MaybeAsync, thenMaybeAsync } from '../async/maybe-async.ts'
import { withTimeoutIfAsync } from '../async/timeout.ts'
import { processWide } from '../copies/process-wide.ts'
import { rejection, rejectionOf } from '../reject/rejection.ts'
import type { Scheme } from './scheme.ts'

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
  /** What the scheme made of the secret. */
  readonly key: unknown
  /** The secret in the clear, for its fingerprint. A function, so that nothing prints it by accident. */
  readonly reveal: () => string
}

interface KeyRingOptions {
  readonly scheme: Pick<Scheme, 'importKey' | 'secretPrefix'>
  /** How long a secret function may take, in seconds. */
  readonly timeout: number
  /** The name of the endpoint, if it has one. */
  readonly endpoint?: string | undefined
}

/** Returns the keys for a request. */
export type KeyRing<Context> = (context: Context) => MaybeAsync<readonly SecretKey[]>

/** Keys kept for a secret function, which may serve any number of tenants. */
const MAX_CACHED_KEYS = 1000

/**
 * Prepares the keys of the secrets, now where they are given, else when the function returns them, for which it has
 * `timeout` seconds.
 *
 * @throws TypeError for a secret that cannot be one; it names the endpoint, if that has a name.
 */
export function createKeyRing<Context>(
  source: SecretSource<Context>,
  { scheme, timeout, endpoint }: KeyRingOptions,
): KeyRing<Context> {
  const what = endpoint === undefined ? 'The secret' : `The secret of the endpoint "${endpoint}"`
  const prepare = ([name, secret]: NamedSecret): MaybeAsync<SecretKey> => {
    const label = labelOf(what, name)
    if (!warned.prefix && !secret.startsWith(scheme.secretPrefix ?? '')) {
      warned.prefix = true
      console.warn(
        `[webhook-receiver] ${label} does not begin with "${scheme.secretPrefix}". Was it cut off? The whole string is the key.`,
      )
    }
    const named = (key: unknown) => ({ name, key, reveal: () => secret })
    return thenMaybeAsync(scheme.importKey(secret, label), named)
  }
  if (typeof source !== 'function') {
    const keys = allMaybeAsync(checkedSecrets(source, what).map(prepare))
    return () => keys
  }
  const cache = new Map<string, MaybeAsync<SecretKey>>()
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
  const late = () => rejection('secret_unavailable', { seconds: timeout })
  return async (context) => {
    try {
      const secrets = await withTimeoutIfAsync(timeout, source(context), late)
      return await Promise.all(checkedSecrets(secrets, what).map(cached))
    } catch (cause) {
      throw rejectionOf(cause, () => rejection('secret_unavailable', undefined, { cause }))
    }
  }
}

const warned = processWide('warned', () => ({ prefix: false }))

type NamedSecret = readonly [name: string | undefined, secret: string]

function labelOf(what: string, name: string | undefined): string {
  return name === undefined ? what : `${what} named "${name}"`
}

function checkedSecrets(secrets: unknown, what: string): readonly NamedSecret[] {
  if (typeof secrets !== 'object' || secrets === null) {
    return [[undefined, checked(what, secrets)]]
  }
  const named = Object.entries(secrets)
  // The entries of a String object are its characters, and each of them would be a secret.
  if (named.length > 0 && !Array.isArray(secrets) && !(secrets instanceof String)) {
    return named.map(([name, secret]) => [name, checked(labelOf(what, name), secret)])
  }
  throw new TypeError('Pass named secrets as an object, such as { current, previous }.')
}

function checked(what: string, secret: unknown): string {
  const fault = faultOf(secret)
  if (fault || typeof secret !== 'string') throw new TypeError(`${what} ${fault}`)
  return secret
}

function faultOf(secret: unknown): string | undefined {
  if (secret === undefined || secret === '') {
    return `is ${secret === '' ? 'empty' : 'undefined'}: is its environment variable set, for example WEBHOOK_SECRET?`
  }
  if (typeof secret !== 'string') {
    return `is ${secret === null ? 'null' : `a ${typeof secret}`}: give the string`
  }
  if (/^(["'`]).*\1$/s.test(secret)) return 'is in quotes: remove them'
  // A public key in PEM has several lines.
  return /^\s|\s$|^(?!-----BEGIN ).*[\n\r]/s.test(secret)
    ? 'has white space or a line break around it: trim it'
    : undefined
}
