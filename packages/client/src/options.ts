import { EVENTS } from '@webhook-receiver/core'
import { checkedAddress } from './address.ts'
import { checkedApiKey } from './api-key.ts'
import { type Redact, redactedText, redaction } from './redaction.ts'

/** The part of `fetch` that is used. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** Each is checked once, when the client is made; a wrong one is a TypeError. */
export interface WebhookClientOptions<ExtraEvent extends string = never> {
  /**
   * What comes before `/api/v1/webhooks`: HTTPS, without user name, password, query or fragment.
   * `undefined`, which an environment variable may be, is a TypeError.
   */
  readonly baseUrl: string | undefined
  /** Sent as `Authorization: Bearer`. `undefined`, white space and line breaks are a TypeError. */
  readonly apiKey: string | undefined
  /**
   * What sends the request.
   * @default the runtime's own fetch
   */
  readonly fetch?: Fetch | undefined
  /**
   * How long the whole answer may take, in seconds. Anything but a number above 0 and up to 3600 is a TypeError.
   * @default 10
   */
  readonly timeout?: number | undefined
  /**
   * Whether `baseUrl` and `url` may begin with http:// where they are on this machine.
   * @default false
   */
  readonly allowInsecureLoopback?: boolean | undefined
  /**
   * Names of events besides the seven of the contract.
   * @default []
   */
  readonly extraEvents?: readonly ExtraEvent[] | undefined
}

/** The options with every default in its place. */
export interface ResolvedOptions {
  readonly endpoint: string
  /** The end point without the API key, for messages. */
  readonly shownEndpoint: string
  readonly apiKey: string
  /** Takes the API key out of a text. */
  readonly redact: Redact
  readonly fetch: Fetch
  readonly timeout: number
  readonly allowInsecureLoopback: boolean
  readonly knownEvents: ReadonlySet<string>
}

/** The defaults, in the units of the options. */
export const DEFAULTS = { timeout: 10, allowInsecureLoopback: false } as const

const PATH = '/api/v1/webhooks'
const MAX_TIMEOUT = 3600

/**
 * Judges the options and fills in the defaults.
 *
 * @throws TypeError that says what to write instead.
 */
export function resolveOptions(options: unknown): ResolvedOptions {
  if (typeof options !== 'object' || options === null) {
    throw new TypeError(
      "Give the options as an object: createWebhookClient({ baseUrl: 'https://…', apiKey }).",
    )
  }
  const {
    baseUrl,
    apiKey,
    // Looked up at each call, so that a fetch that is replaced later is used.
    fetch = (url: string, init: RequestInit) => globalThis.fetch(url, init),
    timeout = DEFAULTS.timeout,
    allowInsecureLoopback = DEFAULTS.allowInsecureLoopback,
    extraEvents = [],
    ...unknown
  }: { readonly [Name in keyof WebhookClientOptions]?: unknown } = options
  refuseUnknown(unknown)
  const key = checkedApiKey(apiKey)
  const redact = redaction(key, '[the API key]')
  const insecure = expect(
    isBoolean,
    'allowInsecureLoopback',
    allowInsecureLoopback,
    'true or false',
  )
  const endpoint = endpointOf(checkedAddress('baseUrl', baseUrl, insecure))
  return {
    endpoint,
    shownEndpoint: redactedText(endpoint, [[key, redact]]),
    apiKey: key,
    redact,
    fetch: expect(isFetch, 'fetch', fetch, 'a function like the global fetch'),
    timeout: expect(
      isTimeout,
      'timeout',
      timeout,
      `a number of seconds above 0 and up to ${MAX_TIMEOUT}, such as 10`,
    ),
    allowInsecureLoopback: insecure,
    knownEvents: new Set<string>([
      ...EVENTS,
      ...expect(
        isNames,
        'extraEvents',
        extraEvents,
        "an array of event names, such as ['message.reacted']",
      ),
    ]),
  }
}

function refuseUnknown(options: object): void {
  const [name] = Object.keys(options)
  if (name === undefined) return
  throw new TypeError(
    `There is no option ${JSON.stringify(name)}. The options are: baseUrl, apiKey, fetch, timeout, allowInsecureLoopback, extraEvents.`,
  )
}

function endpointOf(base: URL): string {
  if (base.href.includes('?')) {
    throw new TypeError('`baseUrl` should have no query: leave out the "?" and what follows.')
  }
  if (/\/api\/v1(?:\/webhooks)?\/*$/.test(base.pathname)) {
    throw new TypeError(
      `\`baseUrl\` should end before "/api/v1", which is added, as in 'https://api.example.com'.`,
    )
  }
  return `${base.href.replace(/\/+$/, '')}${PATH}`
}

/** The value, when it is what it should be. Wrong values are not repeated: one may be the key. */
function expect<Value>(
  is: (value: unknown) => value is Value,
  name: string,
  value: unknown,
  wanted: string,
): Value {
  if (is(value)) return value
  throw new TypeError(
    `\`${name}\` should be ${wanted}; got ${typeof value === 'number' ? value : `a value of type ${typeof value}`}.`,
  )
}

function isBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean'
}

function isFetch(value: unknown): value is Fetch {
  return typeof value === 'function'
}

function isTimeout(value: unknown): value is number {
  return typeof value === 'number' && value > 0 && value <= MAX_TIMEOUT
}

function isNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((name) => typeof name === 'string' && name !== '')
}
