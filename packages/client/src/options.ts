import { EVENTS } from '@webhook-receiver/core'
import {
  BOOLEAN,
  checkOptions,
  EVENT_NAMES,
  functionRule,
  hidden,
  numberRule,
  rule,
  stringRule,
} from '@webhook-receiver/core/internal'
import { type Redact, redaction } from './redaction.ts'
import { checkedUrl } from './url.ts'

/** The part of `fetch` that is used. */
type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** Each is checked once, when the client is created; a wrong one is a TypeError. */
export interface WebhookClientOptions<ExtraEvent extends string = never> {
  /**
   * The part before `/api/v1/webhooks`: HTTPS, without user name, password, query or fragment. `undefined`, as from an
   * environment variable that is not set, is a TypeError.
   */
  readonly baseUrl: string | undefined
  /** Sent as `Authorization: Bearer`. `undefined`, white space and line breaks are a TypeError. */
  readonly apiKey: string | undefined
  /**
   * The function that sends the request.
   * @default the global fetch
   */
  readonly fetch?: Fetch | undefined
  /**
   * How long the whole response may take, in seconds. Anything but a number above 0 and up to 3600 is a TypeError.
   * @default 10
   */
  readonly timeout?: number | undefined
  /**
   * Whether `baseUrl` and `url` may begin with http:// if they are on this machine.
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
  readonly apiKey: string
  /** Takes the API key out of a text. */
  readonly redact: Redact
  readonly fetch: Fetch
  readonly timeout: number
  readonly allowInsecureLoopback: boolean
  readonly knownEvents: ReadonlySet<string>
}

const API_KEY = stringRule(
  'printable ASCII characters, without white space, "Bearer " and the prefix of a secret (whsec_)',
  /^(?!whsec_)[\x21-\x7e]+$/,
)

const FETCH = hidden(functionRule<Fetch>('a function like the global fetch'))

/** A wrong value of an option is not shown: it may be the key. */
const OPTIONS = {
  // Checked by `checkedUrl`.
  baseUrl: [rule<unknown>('a URL', () => true)],
  apiKey: [hidden(API_KEY)],
  // Looked up at each call, so that a fetch that is replaced later is used.
  fetch: [FETCH, (...given: Parameters<Fetch>) => globalThis.fetch(...given)],
  timeout: [hidden(numberRule({ unit: 'seconds', above: 0, to: 3600 })), 10],
  allowInsecureLoopback: [hidden(BOOLEAN), false],
  extraEvents: [hidden(EVENT_NAMES), []],
} as const

/** Checks the options and fills in the defaults. A wrong one is a TypeError that says what to write. */
export function resolveOptions(options: unknown): ResolvedOptions {
  const example = "{ baseUrl: 'https://…', apiKey }"
  const { extraEvents, ...checked } = checkOptions(options, OPTIONS, example)
  return {
    ...checked,
    endpoint: endpointOf(checkedUrl('baseUrl', checked.baseUrl, checked.allowInsecureLoopback)),
    redact: redaction(checked.apiKey, '[the API key]'),
    knownEvents: new Set<string>([...EVENTS, ...extraEvents]),
  }
}

function endpointOf(base: URL): string {
  if (base.href.includes('?') || /\/api\/v1(?:\/webhooks)?\/*$/.test(base.pathname)) {
    throw new TypeError(
      "`baseUrl` should end before /api/v1, which is added, and have no query, as in 'https://api.example.com'.",
    )
  }
  return `${base.href.replace(/\/+$/, '')}/api/v1/webhooks`
}
