import { EVENTS } from '@webhook-receiver/core'
import {
  BOOLEAN,
  checkOptions,
  EVENT_NAMES,
  functionRule,
  hidden,
  numberRule,
  type OptionTable,
  optional,
  rule,
} from '@webhook-receiver/core/options'
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
  readonly redactedEndpoint: string
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

/** For what has a check and messages of its own. */
const UNCHECKED = rule<unknown>('anything', () => true)

/** A wrong value of an option is not shown: it may be the key. */
const OPTIONS = {
  baseUrl: [UNCHECKED],
  apiKey: [UNCHECKED],
  fetch: [optional(hidden(functionRule<Fetch>('a function like the global fetch')))],
  timeout: [hidden(numberRule({ unit: 'seconds', above: 0, to: MAX_TIMEOUT })), DEFAULTS.timeout],
  allowInsecureLoopback: [hidden(BOOLEAN), DEFAULTS.allowInsecureLoopback],
  extraEvents: [hidden(EVENT_NAMES), []],
} as const satisfies {
  readonly [Name in keyof Required<WebhookClientOptions>]: OptionTable[string]
}

/**
 * Checks the options and fills in the defaults.
 *
 * @throws TypeError that says what to write instead.
 */
export function resolveOptions(options: unknown): ResolvedOptions {
  const example = "{ baseUrl: 'https://…', apiKey }"
  const checked = checkOptions(options, OPTIONS, example)
  const { timeout, allowInsecureLoopback, extraEvents } = checked
  const apiKey = checkedApiKey(checked.apiKey)
  const redact = redaction(apiKey, '[the API key]')
  const endpoint = endpointOf(checkedAddress('baseUrl', checked.baseUrl, allowInsecureLoopback))
  return {
    endpoint,
    redactedEndpoint: redactedText(endpoint, [[apiKey, redact]]),
    apiKey,
    redact,
    // Looked up at each call, so that a fetch that is replaced later is used.
    fetch: checked.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    timeout,
    allowInsecureLoopback,
    knownEvents: new Set<string>([...EVENTS, ...extraEvents]),
  }
}

function endpointOf(base: URL): string {
  if (base.href.includes('?')) {
    throw new TypeError(
      '`baseUrl` should have no query: leave out the "?" and everything after it.',
    )
  }
  if (/\/api\/v1(?:\/webhooks)?\/*$/.test(base.pathname)) {
    throw new TypeError(
      `\`baseUrl\` should end before "/api/v1", which is added, as in 'https://api.example.com'.`,
    )
  }
  return `${base.href.replace(/\/+$/, '')}${PATH}`
}
