// Stryker disable StringLiteral: the tests check codes and statuses, not every sentence.
import { describeKind } from '../validate/describe.ts'
import { duration } from '../validate/duration.ts'
import { oneLine, quoted } from './log-line.ts'

/** What the sender is told: one code for each status, whatever the reason. The message is the code in words. */
export const CODES = {
  400: 'invalid_delivery',
  401: 'not_authenticated',
  403: 'check_rejected',
  405: 'method_not_allowed',
  408: 'body_too_slow',
  413: 'body_too_large',
  415: 'encoding_not_supported',
  422: 'content_not_accepted',
  500: 'receiver_error',
  503: 'receiver_unavailable',
} as const

export type Status = keyof typeof CODES

/** Response headers that a status asks for (RFC 9110, sections 15.5.6, 15.5.9 and 15.6.4). */
export const STATUS_HEADERS: { readonly [status in Status]?: Readonly<Record<string, string>> } = {
  405: { Allow: 'POST' },
  408: { Connection: 'close' },
  503: { 'Retry-After': '10' },
}

/** A secret in a form that can be shown: its name and the first 8 hexadecimal digits of its SHA-256. */
export interface SecretFingerprint {
  readonly name: string | undefined
  readonly fingerprint: string
}

interface SchemaFault {
  readonly event: string
  readonly vendor: string
  readonly issues: readonly { readonly path?: readonly unknown[] | undefined }[]
  /** Where the content is in the delivery: that is where the paths of the issues begin. Default: `data`. */
  readonly at?: string | undefined
}

/**
 * Every reason for a rejection, one row each: the status of the response, whose fault it is, and the sentence for the
 * operator, made of what was seen. `either` means that the request may be forged, or that this receiver may have a wrong
 * secret, a wrong clock or an old schema; `handling`, that a verified delivery cannot be handled now. docs/errors.md has a
 * heading for each.
 */
export const REASONS = {
  method_not_allowed: {
    status: 405,
    fault: 'sender',
    /** `own` is the service that has sent the request, if it shows. */
    explain: ({
      method,
      own,
    }: {
      readonly method: string
      readonly own?: Own | undefined
    }): string => {
      const seen = method.slice(0, 20).replace(/[^\w-]/g, '?')
      return own
        ? `${own.title ?? 'The service'} sends ${seen}: ${own.post ?? 'a redirect made GET of POST (register the URL that it leads to), or GET is chosen there'}.`
        : `The method is ${seen}, but deliveries are sent with POST: give browsers and health checks another route.`
    },
  },
  check_rejected: {
    status: 403,
    fault: 'either',
    /** `what` goes on from "because". */
    explain: ({ what }: { readonly what: string }): string =>
      `The check of the endpoint by GET was rejected, because ${what}.`,
  },
  signature_missing: {
    status: 401,
    fault: 'sender',
    explain: (seen: MissingSignature): string => missingSignature(seen),
  },
  signature_malformed: {
    status: 401,
    fault: 'sender',
    /** `expected` goes on from "is not", and `fault` says what is wrong without repeating the value. */
    explain: (seen: {
      readonly header: string
      readonly expected: string
      readonly fault: string
    }): string => `${seen.header} is not ${seen.expected}: ${seen.fault}.`,
  },
  timestamp_missing: {
    status: 401,
    fault: 'sender',
    explain: ({ header }: { readonly header: string }): string =>
      `The request has no ${header} header, which the signature covers: it does not come from the ` +
      'service, or a proxy removes headers that it does not know.',
  },
  encoding_not_supported: {
    status: 415,
    fault: 'sender',
    explain: ({ coding }: { readonly coding: string }): string =>
      `The request has Content-Encoding ${quoted(coding)}, and nothing is decompressed before it is verified: if a proxy compresses ` +
      'requests, turn that off for this URL.',
  },
  body_too_large: {
    status: 413,
    fault: 'sender',
    /** With a `cause`, a server in front of the receiver stopped the body. */
    explain: (seen: TooLarge, cause?: unknown): string =>
      cause !== undefined
        ? `A server in front of the receiver stopped the body after ${seen.received} bytes (${messageOf(cause)}): if the service sends ` +
          'deliveries of that size, raise the limit of that server.'
        : `${tooLarge(seen)}: if the service sends deliveries of that size, raise the \`limit\` option.`,
  },
  secret_unavailable: {
    status: 503,
    fault: 'receiver',
    /** `seconds`, where the secret function did not respond for so long. */
    explain: (seen: { readonly seconds: number } | undefined, cause?: unknown): string =>
      `The secret ${seen ? `function ${late(seen.seconds)}` : `is not available: ${messageOf(cause)}`}.`,
  },
  url_unavailable: {
    status: 503,
    fault: 'receiver',
    explain: (_seen: undefined, cause?: unknown): string =>
      `The \`publicUrl\` function ${cause === undefined ? 'returned no string' : `failed: ${messageOf(cause)}`}.`,
  },
  key_unavailable: {
    status: 500,
    fault: 'receiver',
    explain: (
      { option }: { readonly option: 'duplicates' | 'endpoint' },
      cause?: unknown,
    ): string =>
      `The signature is valid, but the \`${option}\` function ${
        cause === undefined
          ? `returned no ${option === 'endpoint' ? 'name of an endpoint' : 'string'}`
          : `failed: ${messageOf(cause)}`
      }.`,
  },
  body_already_read: {
    status: 500,
    fault: 'receiver',
    explain: ({ by, advice }: { readonly by: string; readonly advice: string }): string =>
      `The body was read ${by}, so the signed bytes are gone. ${advice}`,
  },
  body_incomplete: {
    status: 400,
    fault: 'sender',
    explain: ({ received }: { readonly received?: number }): string =>
      `The connection was closed${received === undefined ? '' : ` after ${received} bytes`}, before the whole body had arrived: by the ` +
      'sender, a proxy or a timeout of this server.',
  },
  body_timeout: {
    status: 408,
    fault: 'sender',
    explain: ({
      received,
      seconds,
    }: {
      readonly received: number
      readonly seconds: number
    }): string =>
      `The body was not complete after ${seconds} s: ${received} bytes had arrived from a slow sender or network; if verified ` +
      'deliveries take that long, raise the `bodyTimeout` option.',
  },
  body_budget_full: {
    status: 503,
    /** Nothing more is read of a body that gave way, so the connection cannot be used again. */
    closes: true,
    fault: 'receiver',
    /** `held`: the memory that this body took. */
    explain: ({ held, most }: { readonly held: number; readonly most: number }): string =>
      `The bodies that are not verified yet took more than the ${most} bytes of \`unverifiedBytes\`, and this one, with ${held} of them, had ` +
      'begun first: if the services send so much at once, raise that option; if somebody holds uploads open, let a proxy read the ' +
      'requests first.',
  },
  signature_mismatch: {
    status: 401,
    fault: 'either',
    explain: (seen: Compared): string =>
      seen.length === 0 && !seen.otherQuery ? emptyBody(seen) : mismatch(seen),
  },
  timestamp_unreadable: {
    status: 401,
    fault: 'either',
    explain: (seen: {
      readonly header: string
      readonly timestamp: string
      /** What it is, if it is in the body: nothing of that is quoted. */
      readonly kind?: string | undefined
      readonly forms: string
    }): string =>
      `The signature is valid, but ${seen.header} is ${seen.kind ?? quoted(seen.timestamp)}, and not ${seen.forms}: if the service uses this ` +
      'format, set the `tolerance` option to Infinity and use a store against replays.',
  },
  timestamp_too_old: {
    status: 401,
    fault: 'either',
    explain: ({ seconds, tolerance }: Age): string =>
      `The signature is valid, but it was signed ${duration(seconds)} ago; at most ${duration(tolerance)} are accepted (tolerance: ${tolerance} s): ` +
      'check the clock of this machine (NTP), unless it is a replay; if the service retries with the old signature, raise the ' +
      '`tolerance` option and use a store.',
  },
  timestamp_in_future: {
    status: 401,
    fault: 'either',
    explain: ({ seconds, tolerance }: Age): string =>
      `The signature is valid, but its timestamp is ${duration(seconds)} in the future; at most ${duration(tolerance)} are accepted (tolerance: ${tolerance} s): ` +
      'check the clocks of this machine and of the sender (NTP).',
  },
  body_not_utf8: {
    status: 400,
    fault: 'either',
    explain: (): string =>
      'The signature is valid, but the body is not UTF-8. Ask the service which encoding it uses.',
  },
  body_not_json: {
    status: 400,
    fault: 'either',
    explain: ({ text }: { readonly text: string }): string =>
      isForm(text)
        ? 'The signature is valid, but the body is a form: set the content type of the webhook to application/json.'
        : `The signature is valid, but the body of ${text.length} characters is ${jsonFault(text)}. ${REGISTERED}`,
  },
  body_too_deep: {
    status: 400,
    fault: 'either',
    explain: ({ limit }: { readonly limit: number }): string =>
      `The signature is valid, but the body has more than ${limit} objects and arrays nested in each other. That could ` +
      'overflow the stack, so ask the service why it sends such a body.',
  },
  envelope_invalid: {
    status: 400,
    fault: 'either',
    explain: (seen: EnvelopeFault): string =>
      `The signature is valid, but ${envelopeFault(seen)}. ${REGISTERED}`,
  },
  schema_mismatch: {
    status: 500,
    fault: 'receiver',
    explain: (seen: SchemaFault): string => schemaFault(seen),
  },
  schema_rejected: {
    status: 422,
    fault: 'receiver',
    explain: (seen: SchemaFault): string => schemaFault(seen),
  },
  schema_failed: {
    status: 500,
    fault: 'receiver',
    /** `seconds`, where the schema did not respond for so long. */
    explain: ({ event, seconds }: { readonly event: string; readonly seconds?: number }): string =>
      `The schema given for ${JSON.stringify(event)} ${seconds === undefined ? 'threw an error or returned no result: see the cause' : late(seconds)}.`,
  },
  delivery_missing: {
    status: 500,
    fault: 'receiver',
    explain: ({ where, advice }: { readonly where: string; readonly advice: string }): string =>
      `There is no delivery for ${where}. ${advice}`,
  },
  handler_failed: {
    status: 500,
    fault: 'receiver',
    explain: (_seen: undefined, cause?: unknown): string =>
      `The handler threw ${cause instanceof Error ? 'an error' : 'a value that is not an Error'}: see the cause.`,
  },
  delivery_in_progress: {
    status: 503,
    fault: 'receiver',
    handling: true,
    explain: ({ wait }: { readonly wait: number }): string =>
      `Another copy of the delivery is being handled, here or in another process (Retry-After: ${wait} s). There is nothing to do.`,
  },
  store_unavailable: {
    status: 503,
    fault: 'receiver',
    handling: true,
    explain: ({
      fault,
      consequence,
      advice,
    }: {
      readonly fault: string
      readonly consequence: string
      readonly advice: string
    }): string => `The store ${fault}. ${consequence} ${advice}`,
  },
  lease_lost: {
    status: 503,
    fault: 'receiver',
    handling: true,
    explain: ({ how, lease }: { readonly how: string; readonly lease: number }): string =>
      `The claim on the delivery was lost while its handler ran: ${how}. Another process may be handling it too: raise the ` +
      `\`lease\` of ${lease} s, or move long computations off the event loop.`,
  },
  handler_timeout: {
    status: 503,
    fault: 'receiver',
    handling: true,
    explain: ({ seconds }: { readonly seconds: number }): string =>
      `The handler had not finished after ${seconds} s, and goes on if its process does: make it faster, put the work in a queue, or ` +
      'raise the `timeout` option, and on AWS Lambda the timeout of the function.',
  },
  handler_abandoned: {
    status: 503,
    fault: 'receiver',
    handling: true,
    explain: ({ seconds }: { readonly seconds: number }): string =>
      `The handler had not finished after ${seconds} s, so its \`signal\` was aborted, and the next copy is handled even if it ` +
      'still runs: set a timeout on every call that it makes, or raise the `abandonAfter` option.',
  },
} as const

export type Reason = keyof typeof REASONS

/** How far a timestamp is from the clock, in seconds. */
interface Age {
  readonly seconds: number
  readonly tolerance: number
}

/** How a body is too large: by what was announced or received, as far as that is known. */
interface TooLarge {
  readonly limit: number
  readonly announced?: string
  readonly received?: number
}

/** A field of a body that is not as the contract defines it. */
export interface EnvelopeFault {
  readonly field: string
  readonly expected: string
  /** Absent where its kind says nothing. */
  readonly value?: unknown
  /** Further fields that are missing or have a wrong value. */
  readonly others?: readonly string[]
}

/** A service that shows in the headers of a request. */
interface Own {
  readonly title?: string | undefined
  /** What has to be done so that it sends POST. */
  readonly post?: string | undefined
}

interface MissingSignature {
  readonly header: string
  /** Whether the header is there, without a value. */
  readonly isEmpty?: boolean
  readonly title?: string | undefined
  /** What it is that is not signed by this header, as a sentence. */
  readonly shows?: string | undefined
  /** A header with a signature that is never accepted, and what that is. */
  readonly weak?: readonly [header: string, algorithm: string] | undefined
  /** The header of another service that the request has, and its scheme: none for the default format. */
  readonly other?: readonly [header: string, scheme: string | undefined] | undefined
  /** Whether other headers show that the service has sent it. */
  readonly recognised?: boolean | undefined
  /** What has to be done so that the service signs. */
  readonly signing?: string | undefined
}

function missingSignature(seen: MissingSignature): string {
  const { header, shows, weak, other, recognised, signing, title = 'the service' } = seen
  if (shows) return `The request has no ${header} header. ${shows}`
  if (weak) {
    return (
      `The request has only ${weak[0]}, which is ${weak[1]} and not accepted, and no ${header}: switch the newer signature on at ${title}, ` +
      'or update the server that sends.'
    )
  }
  if (other) {
    const fix = other[1]
      ? `pass its \`scheme\` of @webhook-receiver/schemes: { scheme: ${other[1]} }`
      : 'to receive the default format, leave out `scheme`'
    return `The request comes from another service: it has the ${other[0]} header, and no ${header}; ${fix}, or give each service its own URL.`
  }
  if (recognised && signing) {
    return `${title} does not sign this request, which has ${seen.isEmpty ? 'an empty' : 'no'} ${header} header: ${signing}.`
  }
  const pass = 'let the proxies on the way pass it'
  if (recognised)
    return `The request has no ${header} header, but others of ${title}: ${pass}, if the request is not forged.`
  return `The request has no ${header} header: anybody may have sent it. If ${title} sent it, ${signing ?? pass}.`
}

/** Fields in front of anything that JSON could begin with. */
function isForm(text: string): boolean {
  return /^[\w.~%+*-]+=/.test(text.slice(0, 200))
}

function envelopeFault({ field, expected, others = [], ...found }: EnvelopeFault): string {
  const also = others.length > 0 ? `. Also missing or wrong: ${others.join(', ')}` : ''
  const seen = 'value' in found ? `, and is ${describeKind(found.value)}` : ''
  return `${field} should be ${expected}${seen}${also}`
}

/** What else to compare where the URL is signed. */
function forUrl({ url, otherQuery }: Pick<Compared, 'url' | 'otherQuery'>, joined: string): string {
  if (url === undefined) return ''
  return `${joined} \`publicUrl\` with ${otherQuery ? 'the query of the request, which is another' : 'the URL that is registered there'}`
}

const REGISTERED = 'Check that the service sends only deliveries to this URL.'

function messageOf(cause: unknown): string {
  return cause instanceof Error ? oneLine(cause.message) : 'it threw a value that is not an Error'
}

function late(seconds: number): string {
  return `did not respond within ${seconds} s: make it faster, or raise the \`callbackTimeout\` option`
}

function tooLarge({ limit, announced, received }: TooLarge): string {
  if (announced === undefined && received === undefined)
    return `The body is larger than the limit of ${limit} bytes`
  const seen =
    announced === undefined
      ? `The body has ${received} bytes`
      : `The request has a Content-Length of ${announced.slice(0, 20)} bytes`
  return `${seen}, but the limit is ${limit} bytes`
}

function tried(secrets: readonly SecretFingerprint[]): string {
  const more = secrets.length > 5 ? `, and ${secrets.length - 5} more` : ''
  return secrets.slice(0, 5).map(shown).join(', ') + more
}

interface Compared {
  readonly length: number
  readonly secrets: readonly SecretFingerprint[]
  /** How many others these secrets verified in the last seconds, if that says something. */
  readonly lately?: { readonly count: number; readonly seconds: number } | undefined
  /** The URL for which it was verified, and whether the request has another query than that. */
  readonly url?: string | undefined
  readonly otherQuery?: boolean | undefined
  readonly title?: string | undefined
  /** What the service calls the secret, and which of several it is. */
  readonly called?: string | undefined
  readonly several?: string | undefined
  /** What the request is that another secret signs, as a sentence. */
  readonly shows?: string | undefined
}

function mismatch(seen: Compared): string {
  const { url, length, secrets, shows } = seen
  return (
    `The signature does not match ${url === undefined ? '' : `the URL ${url} and `}the ${length} bytes of the body ` +
    `with ${tried(secrets)}${verifiedLately(seen)}${shows ? `. ${shows} If that is not the cause, ` : ': '}${otherSecret(seen)}; if that is right, find what ` +
    'changed the body (a proxy, or code that writes the JSON again), unless the request is forged.'
  )
}

/** Says nothing of the secret: services sign what they send, and none sends an empty body. */
function emptyBody({ title = 'the service', secrets }: Compared): string {
  return (
    `The body arrived empty, but ${title} signs no empty body: find what has read it before the receiver (a body parser, a wrapper of the ` +
    'handler, the hosting) or sent the request on without it (a proxy, a redirect), unless the request is forged. ' +
    `The signature does not match 0 bytes with ${tried(secrets)}.`
  )
}

/** Tells a wrong secret here, by which nothing is accepted, from another one at the service, by which only some are rejected. */
function verifiedLately({ lately, secrets }: Compared): string {
  if (!lately) return ''
  const have = secrets.length > 1 ? 'have' : 'has'
  return lately.count > 0
    ? `, which ${have} verified ${lately.count} others in the last minute`
    : `, which ${have} verified none in ${duration(Math.floor(lately.seconds / 60) * 60)}`
}

function otherSecret(seen: Compared): string {
  const { lately, secrets, title, called = 'the secret of the service', several } = seen
  const there = title === undefined ? '' : ` at ${title}`
  if (lately && lately.count > 0) {
    const service = title ?? 'the service'
    return `see whether ${service} signs with a new secret, or another webhook of it sends here${forUrl(seen, '; compare')}`
  }
  return `compare ${secrets.length > 1 ? 'them' : 'it'} with ${called}${there}${several ? ` (${several})` : ''}${forUrl(seen, ', and')}`
}

function shown({ name, fingerprint }: SecretFingerprint): string {
  return `${name === undefined ? 'the secret' : quoted(name)} (SHA-256 begins ${fingerprint})`
}

function jsonFault(text: string): string {
  if (text === '') return 'empty'
  return text.startsWith('\uFEFF') ? 'JSON after a byte order mark' : 'not JSON'
}

/** Not the issues' own messages: some validators quote the value, which is the body. */
function schemaFault({ event, vendor, issues, at = 'data' }: SchemaFault): string {
  const places = issues.slice(0, 5).map((issue) => placeOf(issue, at))
  return (
    `The signature is valid, but the content does not fit the ${vendor} schema given for ` +
    `${JSON.stringify(event)}, at ${places.join(', ')}. Correct the schema, and until then keep such deliveries ` +
    'with onUnprocessable.'
  )
}

/** Where an issue is. A validator may be home-made, so its issues can be any value. */
function placeOf(issue: unknown, at: string): string {
  const path = typeof issue === 'object' && issue !== null && 'path' in issue ? issue.path : []
  const segments = Array.isArray(path) ? path.map(segment) : []
  return [at, ...segments].join('.').slice(0, 100)
}

/** One step of an issue's path, whose name the sender may have chosen. */
function segment(part: unknown): string {
  const key = typeof part === 'object' && part !== null && 'key' in part ? part.key : part
  return typeof key === 'object' || typeof key === 'function'
    ? `(${key === null ? 'null' : typeof key})`
    : oneLine(String(key)).slice(0, 40)
}
