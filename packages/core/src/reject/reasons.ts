// Stryker disable StringLiteral: the tests check codes and statuses, not every sentence.
import { describeError, describeKind } from '../validate/describe.ts'
import { counted, duration } from '../validate/duration.ts'
import { isError } from '../validate/error.ts'
import { briefly, oneLine, quoted } from './log-line.ts'

/** What the sender is told: one code for each status, whatever the reason. The message is the code in words. */
export const CODES = {
  400: 'invalid_delivery',
  401: 'not_authenticated',
  403: 'check_rejected',
  405: 'method_not_allowed',
  408: 'body_too_slow',
  410: 'subscription_ended',
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
    /** `isOwn` says that the service has sent the request, and `post` what has to be done so that it sends POST. */
    explain: ({
      method,
      isOwn,
      title = 'The service',
      post,
    }: {
      readonly method: string
      readonly isOwn?: boolean | undefined
      readonly title?: string | undefined
      readonly post?: string | undefined
    }): string => {
      const seen = method.slice(0, 20).replace(/[^\w-]/g, '?')
      if (isOwn) {
        return `${title} sends ${seen}: ${post ?? 'choose POST there, or register the URL behind the redirect'}.`
      }
      const said = post ? `If ${title} sent ${seen}, ${post}` : `The method is ${seen}, not POST`
      return `${said}. Give browsers and health checks another route.`
    },
  },
  check_rejected: {
    status: 403,
    fault: 'either',
    /** `what` goes on from the colon. */
    explain: ({ what }: { readonly what: string }): string =>
      `The check of the endpoint failed: ${what}.`,
  },
  signature_missing: {
    status: 401,
    fault: 'sender',
    explain: (seen: MissingSignature): string => missingSignature(seen),
  },
  signature_malformed: {
    status: 401,
    fault: 'sender',
    /** `fault` goes on from the header without repeating its value, and `expected` from "should be". */
    explain: (seen: {
      readonly header: string
      readonly expected: string
      readonly fault: string
    }): string => `${seen.header} ${seen.fault}. It should be ${seen.expected}.`,
  },
  timestamp_missing: {
    status: 401,
    fault: 'sender',
    explain: ({ header }: { readonly header: string }): string =>
      `${header} is missing, and it is signed. If the service sent it, let proxies pass it.`,
  },
  encoding_not_supported: {
    status: 415,
    fault: 'sender',
    explain: ({ coding }: { readonly coding: string }): string =>
      `Content-Encoding is ${quoted(coding, 20)}, which is not decoded. Turn it off in the proxy.`,
  },
  body_too_large: {
    status: 413,
    fault: 'sender',
    /** With a `cause`, a server in front of the receiver stopped the body. */
    explain: (seen: TooLarge, cause?: unknown): string =>
      cause !== undefined
        ? `A server in front stopped the body after ${bytes(seen.received)}: raise its limit. It says: ${messageOf(cause)}.`
        : `The body is over \`limit\` (${seen.limit} bytes)${sizeOf(seen)}. Raise it if the service sends that much.`,
  },
  secret_unavailable: {
    status: 503,
    fault: 'receiver',
    /** `seconds`, where the secret function did not respond for so long. */
    explain: (seen: { readonly seconds: number } | undefined, cause?: unknown): string =>
      seen ? `The secret function ${late(seen.seconds)}.` : noSecret(messageOf(cause)),
  },
  subscription_unknown: {
    status: 503,
    fault: 'receiver',
    explain: ({ subscription }: { readonly subscription: string }): string =>
      `Your \`secretsOf\` knows no subscription ${quoted(subscription, 20)}. Save its id when you subscribe.`,
  },
  subscription_ended: {
    status: 410,
    fault: 'sender',
    explain: (): string =>
      'The secret function says that the subscription has ended: the sender should stop.',
  },
  url_unavailable: {
    status: 503,
    fault: 'receiver',
    explain: (_seen: undefined, cause?: unknown): string =>
      `The \`publicUrl\` function ${failed(cause, 'no URL')}.`,
  },
  key_unavailable: {
    status: 500,
    fault: 'receiver',
    explain: (
      { option }: { readonly option: 'duplicates' | 'endpoint' | 'account' | 'check' },
      cause?: unknown,
    ): string =>
      `${VALID} the \`${option}\` function ${failed(cause, option === 'endpoint' ? 'no name of an endpoint' : 'no string')}.`,
  },
  body_already_read: {
    status: 500,
    fault: 'receiver',
    explain: ({ by, advice }: { readonly by: string; readonly advice: string }): string =>
      `The body was read ${by}. ${advice}`,
  },
  body_incomplete: {
    status: 400,
    fault: 'sender',
    explain: ({ received }: { readonly received?: number }): string =>
      `The connection was closed ${received === undefined ? 'in the body' : `after ${bytes(received)}`}: by the sender, a proxy, or a timeout here.`,
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
      `After ${seconds} s only ${bytes(received)} had arrived. If real deliveries take that long, raise \`bodyTimeout\`.`,
  },
  body_budget_full: {
    status: 503,
    /** Nothing more is read of a body that gave way, so the connection cannot be used again. */
    closes: true,
    fault: 'receiver',
    explain: ({ most }: { readonly most: number }): string =>
      `Unverified bodies fill \`unverifiedBytes\` (${most}), and this one is the oldest: raise it. Or let a proxy read requests first.`,
  },
  signature_mismatch: {
    status: 401,
    fault: 'either',
    explain: (seen: Compared): string =>
      seen.length === 0 && !seen.otherQuery ? emptyBody(seen) : mismatch(seen),
  },
  token_rejected: {
    status: 401,
    fault: 'either',
    /** `what` goes on from "but". */
    explain: ({ what }: { readonly what: string }): string => `The token is signed, but ${what}.`,
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
      `${seen.header} is ${seen.kind ?? quoted(seen.timestamp, 20)}: it should be ${seen.forms}. Or set \`tolerance\` to Infinity, and ` +
      'use a store. The signature is valid.',
  },
  timestamp_too_old: {
    status: 401,
    fault: 'either',
    explain: (seen: Age): string =>
      clockFault(seen) ??
      `${VALID} ${seen.says ? `it ${seen.says} ${duration(seen.seconds)} ago` : `${duration(seen.seconds)} old (tolerance ${seen.tolerance} s)`}. ` +
        'Check the clock here (NTP). It may also be a replay, or a retry with its first signature.',
  },
  timestamp_in_future: {
    status: 401,
    fault: 'either',
    explain: (seen: Age): string =>
      clockFault(seen) ??
      `${VALID} ${seen.says ? `it ${seen.says} in ${duration(seen.seconds)}` : `signed ${duration(seen.seconds)} in the future (tolerance ${seen.tolerance} s)`}: check both clocks.`,
  },
  body_not_utf8: {
    status: 400,
    fault: 'either',
    explain: (): string =>
      `${VALID} the body is not UTF-8. Ask the service which encoding it uses.`,
  },
  body_not_json: {
    status: 400,
    fault: 'either',
    explain: ({ text }: { readonly text: string }): string => {
      const other = OTHER_FORMATS.find(([form]) => form.test(text.slice(0, 200)))?.[1]
      return `${VALID} the body is ${other ? `${other}: choose JSON for the webhook at the service.` : `${jsonFault(text)}. ${REGISTERED}`}`
    },
  },
  body_too_deep: {
    status: 400,
    fault: 'either',
    explain: ({ limit }: { readonly limit: number }): string =>
      `${VALID} more than ${limit} objects and arrays are nested in each other.`,
  },
  envelope_invalid: {
    status: 400,
    fault: 'either',
    explain: (seen: EnvelopeFault): string => `${VALID} ${envelopeFault(seen)}. ${REGISTERED}`,
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
    /** `seconds`, where the schema did not respond for so long. The message of what it threw may quote the body. */
    explain: (
      { event, seconds }: { readonly event: string; readonly seconds?: number },
      cause?: unknown,
    ): string =>
      `The schema of ${quoted(event)} ${seconds === undefined ? schemaFailure(cause) : late(seconds)}.`,
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
    explain: (): string => 'The handler threw an error: see the cause.',
  },
  delivery_in_progress: {
    status: 503,
    fault: 'receiver',
    handling: true,
    explain: ({ wait }: { readonly wait: number }): string =>
      `Harmless: another copy is being handled (retry in ${wait} s).`,
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
      `The claim was lost while the handler ran: ${how}. Raise the \`lease\` of ${lease} s. Another process may handle it too.`,
  },
  handler_timeout: {
    status: 503,
    fault: 'receiver',
    handling: true,
    explain: ({ seconds }: { readonly seconds: number }): string =>
      `The handler still runs after ${seconds} s: use a queue, or raise \`timeout\`.`,
  },
  handler_abandoned: {
    status: 503,
    fault: 'receiver',
    handling: true,
    explain: ({ seconds }: { readonly seconds: number }): string =>
      `The handler still ran after ${seconds} s: its \`signal\` is aborted. Set timeouts in it, or raise \`abandonAfter\`.`,
  },
} as const

export type Reason = keyof typeof REASONS

/** What an error says of its rejection. */
interface Judged {
  readonly reason: Reason
  readonly status: Status
}

/** Whether something other than the request can be to blame. */
export function isReceiversFault(judged: Judged): boolean {
  return judged.status >= 500 || rowsFor(judged).some(({ fault }) => fault !== 'sender')
}

/** Whether a verified delivery cannot be handled now. */
export function isOfHandling(judged: Judged): boolean {
  return rowsFor(judged).some((row) => 'handling' in row)
}

/** The row of a reason. The copy of core in another release may have reasons that this one does not know: then all rows of their status. */
function rowsFor({ reason, status }: Judged): readonly (typeof REASONS)[Reason][] {
  if (Object.hasOwn(REASONS, reason)) return [REASONS[reason]]
  return Object.values(REASONS).filter((row) => row.status === status)
}

/** How far a timestamp is from the clock, in seconds. */
type Age = {
  /** What the receiver's clock said. */
  readonly now?: number
} & (
  | { readonly seconds: number; readonly tolerance: number; readonly says?: undefined }
  /** What is wrong with the time in a token, such as `expired`: no tolerance is printed then. */
  | { readonly seconds: number; readonly says: string; readonly tolerance?: undefined }
)

/** 1973 and 5138. Between them a number is milliseconds, and neither seconds, nor microseconds, nor the time since the process began. */
const [EARLIEST, LATEST] = [1e11, 1e14]

/** What is wrong with the clock of the receiver, where that cannot be the time: an age by it would mislead. */
function clockFault({ now = EARLIEST }: Age): string | undefined {
  if (now >= EARLIEST && now <= LATEST) return undefined
  const date = new Date(Number(now))
  const says = Number.isNaN(date.getTime()) ? String(now) : date.toISOString().slice(0, 10)
  return `The clock here says ${says}: let \`now\` return milliseconds, or set it (NTP). The signature is valid.`
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
  /** What has to be done so that the service signs. */
  readonly signing?: string | undefined
}

function missingSignature(seen: MissingSignature): string {
  const { header, shows, weak, other, signing, title = 'the service' } = seen
  const none = `${header} is ${seen.isEmpty ? 'empty' : 'missing'}`
  if (shows) return `${shows} ${none}.`
  if (weak) {
    return `${weak[0]} is ${weak[1]}, which is not accepted. Let proxies pass ${header}, too.`
  }
  if (other) {
    // Of many, the last: a line has no room for more.
    const fix = other[1]
      ? `Pass its scheme: ${other[1].replace(/.{50,} or /, 'its own or ')}`
      : 'Leave out `scheme`'
    return `Another service's header: ${other[0]}. ${fix}. Or give each service its own URL.`
  }
  return `${none}. If ${title} sent it, ${signing ?? 'let proxies pass it'}.`
}

const OTHER_FORMATS: readonly (readonly [form: RegExp, name: string])[] = [
  // Fields in front of anything that JSON could begin with.
  [/^[\w.~%+*-]+=/, 'a form'],
  // A declaration, or an element.
  [/^\uFEFF?\s*<[?!\w]/, 'XML'],
]

function envelopeFault({ field, expected, others = [], ...found }: EnvelopeFault): string {
  const also = others.length > 0 ? `; also wrong: ${others.join(', ')}` : ''
  const seen = 'value' in found ? `, and is ${describeKind(found.value)}` : ''
  return `${field} should be ${expected}${seen}${also}`
}

const VALID = 'The signature is valid, but'
const REGISTERED = 'Do two webhooks share this URL? Give each its own.'

/** What a function of the application did instead of returning what it should. */
function failed(cause: unknown, otherwise: string): string {
  return cause === undefined ? `returned ${otherwise}` : `failed: ${messageOf(cause)}`
}

function messageOf(cause: unknown): string {
  return isError(cause) ? oneLine(describeError(cause)) : 'it threw a value that is not an Error'
}

function schemaFailure(cause: unknown): string {
  if (cause === undefined) return 'returned no result'
  return `threw ${isError(cause) ? briefly(cause.name) : 'no Error'}. Log \`cause\` in \`onRejected\` to see it`
}

/** What the receiver itself finds wrong with a secret names it, and its first sentence has to fit into a line of the log. */
function noSecret(message: string): string {
  const start = message.startsWith('The secret ') ? '' : 'The secret is not available: '
  return `${start}${message}${/[.?]$/.test(message) ? '' : '.'}`
}

/** What a function of the application did that the response waits for. */
export function late(seconds: number): string {
  return `took more than ${seconds} s. Make it faster, or raise \`callbackTimeout\``
}

function sizeOf({ announced, received }: TooLarge): string {
  const size = announced?.slice(0, 20) ?? received
  return size === undefined ? '' : `: ${size}`
}

function bytes(count = 0): string {
  return counted(count, 'byte')
}

function fingerprints(secrets: readonly SecretFingerprint[]): string {
  const { length } = secrets
  const more = length > 5 ? `, and ${length - 5} more` : ''
  const all = secrets.slice(0, 5).map(shown).join(', ')
  return `Secret fingerprint${length === 1 ? '' : 's'}: ${all}${more}.`
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

/** The cause, what the secrets accepted lately, which they are, and then what to compare. */
function mismatch(seen: Compared): string {
  const {
    url,
    length,
    secrets,
    shows,
    title = 'the service',
    called = 'the secret',
    several,
  } = seen
  // In the first sentence, which every line has.
  const signed = `\`publicUrl\` (${url})`
  const doubt = url === undefined ? 'or body changed' : `changed body, or wrong ${signed}`
  const which = seen.lately?.count ? 'Another' : 'Wrong'
  const cause = seen.otherQuery
    ? `The query is not that of ${signed}: make them the same.`
    : `${which} secret, ${doubt}?`
  // What a request shows of its secret explains nothing where that has just signed others of its kind.
  const last = seen.lately?.count ? shows : undefined
  const found = [!last && shows, cause, acceptedLately(seen), fingerprints(secrets)].filter(Boolean)
  const compare = `Compare with ${called} at ${title}${several ? ` (${several})` : ''}`
  return `${found.join(' ')} ${compare}; the body has ${bytes(length)}.${last ? ` ${last}` : ''}`
}

/** Says nothing of the secret: services sign what they send, and none sends an empty body. */
function emptyBody({ title = 'the service' }: Compared): string {
  return `The body is empty, which ${title} never signs: did a body parser or redirect take it?`
}

/** Tells a wrong secret here, by which nothing is accepted, from another one at the service, by which only some are rejected. */
function acceptedLately({ lately, secrets }: Compared): string {
  if (!lately) return ''
  return lately.count > 0
    ? `${secrets.length > 1 ? 'One of yours' : 'Yours'} is right: ${lately.count} valid in the last minute.`
    : `None was valid for ${duration(Math.floor(lately.seconds / 60) * 60)}.`
}

function shown({ name, fingerprint }: SecretFingerprint): string {
  return name === undefined ? fingerprint : `${quoted(name)} (${fingerprint})`
}

function jsonFault(text: string): string {
  if (text === '') return 'empty'
  return `${text.startsWith('\uFEFF') ? 'JSON after a byte order mark' : 'not JSON'} (${counted(text.length, 'character')})`
}

/** Not the issues' own messages: some validators quote the value, which is the body. */
function schemaFault({ event, vendor, issues, at = 'data' }: SchemaFault): string {
  const [first = at, ...others] = issues.slice(0, 5).map((issue) => placeOf(issue, at))
  const also = others.length > 0 ? ` Also at ${others.join(', ')}.` : ''
  return (
    `The event ${quoted(event)} does not fit its ${vendor} schema at ${first}: correct the schema.${also} Keep such deliveries with ` +
    'onUnprocessable.'
  )
}

/** Where an issue is. A validator may be home-made, so its issues can be any value; the sender may have chosen the names. */
function placeOf(issue: unknown, at: string): string {
  const { path } = Object(issue)
  const names = Array.isArray(path) ? path.map((part) => named(part?.key ?? part)) : []
  return [at, ...names].join('.').slice(0, 100)
}

function named(key: unknown): string {
  return briefly(Object(key) === key ? `(${typeof key})` : String(key))
}
