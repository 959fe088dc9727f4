import { allMaybeAsync, type MaybeAsync, thenMaybeAsync } from '../async/maybe-async.ts'
import { withTimeoutIfAsync } from '../async/timeout.ts'
import { processWide } from '../copies/process-wide.ts'
import { SITE } from '../reject/addresses.ts'
import { rejection, rejectionOf } from '../reject/rejection.ts'
import { isWebhookError, type WebhookError } from '../reject/webhook-error.ts'
import { isCallable } from '../validate/callable.ts'
import { describeKind } from '../validate/describe.ts'
import { AcceptedCounter } from './accepted-lately.ts'
import type { Scheme } from './scheme.ts'
import { isSubscriptionSecrets, type Secrets, type SubscriptionSecrets } from './subscriptions.ts'

/**
 * The secret, or a function that returns it. The function gets the framework's own request or context: for tenants, or for
 * runtimes where the environment is part of the request.
 *
 * The type includes `undefined` so that `process.env.WEBHOOK_SECRET` compiles. At start, `undefined` is a TypeError.
 */
export type SecretSource<Context = unknown> =
  | Secrets
  | ((context: Context) => Secrets | Promise<Secrets>)
  | SubscriptionSecrets<Context>

/** A secret ready for use. */
export interface SecretKey {
  readonly name: string | undefined
  /** What the scheme made of the secret. */
  readonly key: unknown
  /** The secret in the clear, for its fingerprint. A function, so that nothing prints it by accident. */
  readonly reveal: () => string
  readonly accepted: AcceptedCounter
  /** What rejects everything but a check of the endpoint: the secret is one of a subscription that is not confirmed. */
  readonly pending?: WebhookError | undefined
}

type SchemeOfSecrets = Pick<
  Scheme,
  'name' | 'importKey' | 'importBytes' | 'secret' | 'title' | 'subscriptionOf'
>

interface KeyRingOptions {
  readonly scheme: SchemeOfSecrets
  /** How long a secret function may take, in seconds. */
  readonly timeout: number
  /** The name of the endpoint, if it has one. */
  readonly endpoint?: string | undefined
}

/** Returns the keys for a request, and for the subscription that it names. */
export type KeyRing<Context> = (
  context: Context,
  subscription?: string,
) => MaybeAsync<readonly SecretKey[]>

/**
 * A rotation has two secrets, and a few endpoints on one URL some more; with a hundred, a request costs several times as much. One text may
 * come from a platform's customer, so it never holds more.
 */
const MANY_SECRETS = 10

/** Before a service confirms a subscription, which takes seconds. Each of them costs a MAC. */
const MOST_PENDING = 100

/** Below this, a secret is cut off, made up, or easily guessed. */
const FEW_CHARACTERS = 16

const SHORT = `has fewer than ${FEW_CHARACTERS} characters: was it cut off? If you made it up, choose a long one at random.`

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
    const parts = secretsIn(secret, scheme)
    if (parts.length > MANY_SECRETS) {
      throw new TypeError(
        `${label} holds ${parts.length} secrets, and each request is compared with all of them: at most ${MANY_SECRETS} are taken.`,
      )
    }
    for (const part of parts) checkKind(label, part, scheme)
    const accepted = new AcceptedCounter()
    const named = (key: unknown) => ({ name, key, reveal: () => secret, accepted })
    return thenMaybeAsync(scheme.importKey(secret, label), named)
  }
  checkSource(isSubscriptionSecrets(source), scheme)
  if (!isCallable(source) && !isSubscriptionSecrets(source)) {
    const secrets = checkedSecrets(source, what)
    if (secrets.length > MANY_SECRETS) {
      warnOnce(
        'many',
        `${what} is one of ${secrets.length}, which are all tried for each delivery: pass a function that returns that of the ` +
          `request. ${SITE}/guides/secrets#one-secret-per-tenant`,
      )
    }
    const keys = allMaybeAsync(secrets.map(prepare))
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
  const inTime = <Value>(value: Value | Promise<Value>) => withTimeoutIfAsync(timeout, value, late)
  const keysOf = async (secrets: unknown) => {
    if (secrets === undefined) {
      throw new TypeError(`${what} is undefined: ${IS_SET}, or is the tenant unknown?`)
    }
    return Promise.all(checkedSecrets(secrets, what).map(cached))
  }

  /** Those of a subscription that is not known, or has ended: they only verify a check of the endpoint. */
  async function pendingKeys(
    subscriptions: SubscriptionSecrets<Context>,
    context: Context,
    pending: WebhookError,
  ): Promise<readonly SecretKey[]> {
    const secrets = await inTime(subscriptions.pending?.(context) ?? [])
    if (!Array.isArray(secrets) || secrets.length > MOST_PENDING) {
      throw new TypeError(`\`pending\` should return an array of at most ${MOST_PENDING} secrets.`)
    }
    if (secrets.length === 0) throw pending
    const keys = await keysOf({ ...secrets })
    return keys.map((key) => ({ ...key, name: undefined, pending }))
  }

  async function keysOfSubscription(
    subscriptions: SubscriptionSecrets<Context>,
    subscription: string,
    context: Context,
  ): Promise<readonly SecretKey[]> {
    try {
      const secrets = await inTime(subscriptions.secretsOf(subscription, context))
      if (secrets !== undefined) return await keysOf(secrets)
    } catch (error) {
      // Who subscribes again gets the subscription that has ended.
      if (isWebhookError(error) && error.reason === 'subscription_ended') {
        return await pendingKeys(subscriptions, context, error)
      }
      throw error
    }
    const unknown = rejection('subscription_unknown', { subscription })
    return await pendingKeys(subscriptions, context, unknown)
  }

  return async (context, subscription = '') => {
    try {
      return typeof source === 'function'
        ? await keysOf(await inTime(source(context)))
        : await keysOfSubscription(source, subscription, context)
    } catch (cause) {
      throw rejectionOf(cause, () => rejection('secret_unavailable', undefined, { cause }))
    }
  }
}

/** @throws TypeError where the header that names the subscription would be anybody's to write: with one secret for all, it is not signed. */
function checkSource(bySubscription: boolean, { name, subscriptionOf }: SchemeOfSecrets): void {
  if (bySubscription === (subscriptionOf !== undefined)) return
  throw new TypeError(
    bySubscription
      ? `Pass a secret instead of { secretsOf }: the requests of ${name} name no subscription.`
      : `Pass { secretsOf } instead of a secret: ${name} signs each subscription with its own. ${SITE}/guides/agents`,
  )
}

/** The secrets in a text, where the service keeps several in one. */
function secretsIn(text: string, { secret }: Pick<Scheme, 'secret'>): readonly string[] {
  return secret?.separator === undefined ? [text] : text.split(secret.separator).filter(Boolean)
}

const warned = processWide('warned', () => new Set<string>())

/**
 * Looks whether something else than the secret of the service was given.
 *
 * @throws TypeError where that cannot be the secret.
 */
function checkKind(
  label: string,
  secret: string,
  { importBytes, secret: facts, title }: SchemeOfSecrets,
): void {
  const { called = 'the secret', begins = '', mistaken = {}, chosen = !facts } = facts ?? {}
  const fault = isEncoded(secret, begins)
    ? 'is still encoded in base64: decode it'
    : isPlaceholder(secret, begins)
      ? 'is a placeholder: set its variable'
      : DOUBTS.find(([form]) => form.test(secret))?.[1]
  // As a shared secret, a public key would let anyone sign.
  const wrongs = importBytes || begins ? { ...PEM, ...mistaken } : mistaken
  const wrong = Object.entries(wrongs).find(
    ([beginning]) => secret.startsWith(beginning) && !begins.startsWith(beginning),
  )
  if (fault && !wrong) tell(fault, `${label} ${fault}.`, chosen)
  if (!wrong && secret.startsWith(begins)) {
    if (secret.length < FEW_CHARACTERS && !fault && !facts?.isName)
      warnOnce('short', `${label} ${SHORT}`)
    return
  }
  const begun = begins && `, which begins with "${begins}"`
  const right = `Pass ${called}${title === undefined ? '' : ` of ${title}`}${begun}.`
  const seen = wrong
    ? `begins with "${wrong[0]}": that is ${wrong[1]}`
    : `does not begin with "${begins}": was it cut off? All of it is the key`
  tell(`${title} ${wrong?.[1]}`, `${label} ${seen}. ${right}`, chosen || !wrong)
}

/** What no shared secret begins with. */
export const PEM: Readonly<Record<string, string>> = {
  '-----BEGIN': 'a key or a certificate, and no shared secret',
}

function isEncoded(secret: string, begins: string): boolean {
  const whole = begins.slice(0, begins.length - (begins.length % 3))
  return begins.length > 3 && secret.startsWith(btoa(whole))
}

function isPlaceholder(secret: string, begins: string): boolean {
  // Examples of one service are copied for another.
  const own = [begins, 'whsec_'].find((beginning) => beginning && secret.startsWith(beginning))
  return PLACEHOLDER.test(secret.slice(own?.length ?? 0)) || /^\d$/.test(secret)
}

function tell(kind: string, message: string, isDoubtful: boolean): void {
  if (!isDoubtful) throw new TypeError(message)
  warnOnce(kind, message)
}

/** Once a process: there may be thousands of tenants, and a function is called for each request. */
function warnOnce(kind: string, message: string): void {
  if (warned.has(kind)) return
  warned.add(kind)
  console.warn(`[webhook-receiver] ${message}`)
}

type NamedSecret = readonly [name: string | undefined, secret: string]

function labelOf(what: string, name: string | undefined): string {
  return name === undefined ? what : `${what} named "${name}"`
}

function checkedSecrets(secrets: unknown, what: string): readonly NamedSecret[] {
  if (typeof secrets !== 'object' || secrets === null) {
    return [[undefined, checked(what, secrets)]]
  }
  const named = Object.entries(secrets)
  // What is iterated has no names: the entries of a Buffer are its bytes, and those of a String object its characters.
  if (named.length > 0 && !(Symbol.iterator in secrets)) {
    const given = named.filter(([name, secret]) => {
      // So that a rotation is two environment variables, and no change of code.
      if (secret !== undefined || named.every(([, other]) => other === undefined)) return true
      warnOnce('undefined', `${labelOf(what, name)} is undefined, so only the others are used.`)
      return false
    })
    return given.map(([name, secret]) => [name, checked(labelOf(what, name), secret)])
  }
  throw new TypeError(`${what} is ${describeKind(secrets)}: give the string, or several ${NAMED}.`)
}

function checked(what: string, secret: unknown): string {
  const fault = faultOf(secret)
  if (fault || typeof secret !== 'string') throw new TypeError(`${what} ${fault}`)
  return secret
}

function faultOf(secret: unknown): string | undefined {
  if (secret === undefined || secret === '') {
    return `is ${secret === '' ? 'empty' : 'undefined'}: ${IS_SET}?`
  }
  if (typeof secret !== 'string') {
    return `is ${describeKind(secret)}: give the string`
  }
  return MISTAKES.find(([form]) => form.test(secret))?.[1]
}

const NAMED = 'by name, such as { current, previous }'
const IS_SET = 'is its environment variable set'
const OF_VARIABLE = 'begins with the name of its variable: give only what is behind it'
const AGAIN = ': copy it again'

/** What a configuration makes of a secret: no service has such ones. */
const MISTAKES: readonly (readonly [form: RegExp, fault: string])[] = [
  [/^(["'`]).*\1$/s, 'is in quotes: remove them'],
  // A public key in PEM has several lines, the last of which may end with a line break.
  [/^(?!\s*-----BEGIN )(?:\s|.*(?:\s$|[\n\r]))/s, 'has white space around it: trim it'],
  [
    /^\$[({].*[)}]$|^\$[A-Z_]+$|^(%|__)[A-Z_]+\1$|^\{\{.*\}\}$|^<.*>$|^(?:process|import\.meta|Deno|Bun)\.env\b/,
    'is a placeholder: set its variable',
  ],
  [/^(?:undefined|null|\[object \w+\])$/, `is the text of a missing value: ${IS_SET}?`],
  [/^[A-Z\d_]*_SECRET=/, OF_VARIABLE],
  [/[\u200b-\u200f\u2060\ufeff]/, `contains an invisible character${AGAIN}`],
  [/(?!\s)\p{Control}/u, `contains a control character${AGAIN}`],
  // Encoded, it would be U+FFFD, as any other half is.
  [/\p{Surrogate}/u, `contains half of a character${AGAIN}`],
]

/** What looks like a mistake, but a secret that somebody made up may have it: a warning and no error. */
const DOUBTS: typeof MISTAKES = [
  [/^["'`]|["'`]$/, 'has a quotation mark at one end: remove it'],
  [/^(?!\s*-----BEGIN ).*\\[nr]$/s, 'ends with a line break that is written as text: remove it'],
  [
    // Base64 has "=" at its end only.
    /^(?:export )?[a-z_]\w*(?:=|: )[^=\s]/i,
    OF_VARIABLE,
  ],
  [/^Bearer /i, 'begins with "Bearer": give only what is behind it'],
  [/^[[{]\s*".*[\]}]$/s, 'is JSON: parse it, and give the text in it'],
  [
    // Of 1Password, AWS, Google, Azure, Vault, SOPS, Docker and Kubernetes.
    /^(?:op:\/\/|arn:aws[\w-]*:(?:secretsmanager|ssm):|projects\/[^/]+\/secrets\/|@Microsoft\.KeyVault\(|(?:ref\+)?vault:|ENC\[|(?:file:\/\/)?\/(?:[\w.-]+\/)*(?:secrets|etc)\/|https?:\/\/)/,
    'says where a secret is kept: read it from there',
  ],
  [
    /(?:whsec_|-----BEGIN ).+(?:whsec_|-----BEGIN )|^[^\s,;|]{8,}(?:\s*[,;|]\s*|\s+)[^\s,;|]{8,}$/s,
    `holds two secrets: pass them ${NAMED}`,
  ],
]

/** What stands in an example of a configuration, or for something hidden: alone, or behind the beginning of a secret. */
const PLACEHOLDER =
  /^(?:(?:change|replace|fill)[ _-]?(?:me|this|it|with|in)(?:[^a-z].*)?|\W*your[ _-].*|(?:insert|put|enter|paste)[ _-].*here|todo|tbd|placeholder|\W*(?:redacted|hidden)\W*|n\/a|undefined|null|none|nil|nan|true|false|yes|no|on|off|[x*•.…#?_-]{3,}|…)$/i
