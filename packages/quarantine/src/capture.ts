/** A header as it was on the wire. */
type Header = readonly [name: string, value: string]

/** A request as it arrived: docs/captures.md has the file format. */
export interface Capture {
  /** Milliseconds since the epoch. */
  readonly receivedAt: number
  readonly method: string
  /** The target as requested: a path with its query, `*`, or a whole URL. */
  readonly target: string
  readonly httpVersion: string
  readonly headers: readonly Header[]
  readonly body: Uint8Array
}

/** A text is not a capture. The message says what is wrong with it, and ends without a full stop. */
export class CaptureError extends Error {
  override readonly name = 'CaptureError'
}

const FORMAT = 'webhook-receiver-capture'
const VERSION = 1

/** Returns the text of a capture file. `more` has additional properties, which readers skip. */
export function writeCapture(
  capture: Capture,
  more: Readonly<Record<string, unknown>> = {},
): string {
  const { receivedAt, method, target, httpVersion, headers, body } = capture
  const file = {
    format: FORMAT,
    version: VERSION,
    received_at: new Date(receivedAt).toISOString(),
    method,
    target,
    http_version: httpVersion,
    headers,
    body: captureBody(body),
    ...more,
  }
  return `${JSON.stringify(file, null, 2)}\n`
}

/**
 * Reads the text of a capture file.
 *
 * @throws CaptureError that says what is wrong with it.
 */
export function readCapture(text: string): Capture {
  const file = parseObject(text)
  if (file.format !== FORMAT) throw new CaptureError(`it has no "format": "${FORMAT}"`)
  if (file.version !== VERSION) {
    throw new CaptureError(`its "version" is not ${VERSION}, which this program reads`)
  }
  const { method, target, http_version: httpVersion = '1.1', headers } = file
  const receivedAt =
    typeof file.received_at === 'string' ? Date.parse(file.received_at) : Number.NaN
  if (Number.isNaN(receivedAt)) throw new CaptureError('"received_at" is not a time')
  if (!isToken(method)) throw new CaptureError('"method" is not an HTTP method')
  if (!isTarget(target)) throw new CaptureError('"target" is not a path or URL')
  if (typeof httpVersion !== 'string') throw new CaptureError('"http_version" is not a string')
  if (!(Array.isArray(headers) && headers.every(isPair)))
    throw new CaptureError('"headers" is not a list of [name, value]')
  const wide = headers.find(([, value]) => WIDE.test(value))
  if (wide) {
    throw new CaptureError(
      `the value of the header ${wide[0]} has a character that does not fit into one byte`,
    )
  }
  const body = readBody(file.body)
  if (body === undefined) throw new CaptureError('"body" has neither "text" nor "base64"')
  return { receivedAt, method, target, httpVersion, headers, body }
}

/** A body as JSON has it: as text where that gives the very same bytes again, so that a person can read it. */
export type CaptureBody = { readonly text: string } | { readonly base64: string }

export function captureBody(body: Uint8Array): CaptureBody {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body) }
  } catch {
    return { base64: Buffer.from(body).toString('base64') }
  }
}

function readBody(body: unknown): Uint8Array | undefined {
  if (typeof body !== 'object' || body === null) return undefined
  if ('text' in body && typeof body.text === 'string') return Buffer.from(body.text, 'utf8')
  const base64 = 'base64' in body && typeof body.base64 === 'string' ? body.base64 : undefined
  const bytes = base64 === undefined ? undefined : Buffer.from(base64, 'base64')
  // Buffer skips characters that are not base64, and would give other bytes than those that were kept.
  return bytes?.toString('base64') === base64 ? bytes : undefined
}

/**
 * The object in a JSON text, also behind a mark that an editor has put there; an empty one for another value.
 *
 * @throws CaptureError for a text that is not JSON, without the words of JSON.parse, which quote it.
 */
export function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text.replace(/^\ufeff/, '')))
  } catch {
    throw new CaptureError('it is not JSON')
  }
}

/** What a request line may hold (RFC 9112, section 3.2), except for CONNECT. */
export function isTarget(value: unknown): value is string {
  return typeof value === 'string' && /^(?:[/*]|[a-z][\w+.-]*:\/\/)/i.test(value)
}

/** A name of a method or header (RFC 9110, section 5.6.2). */
function isToken(value: unknown): value is string {
  return typeof value === 'string' && /^[!#$%&'*+.^_`|~\w-]+$/.test(value)
}

/** A character that does not fit into one byte. */
export const WIDE: RegExp = /[^\0-\xff]/

function isPair(pair: unknown): pair is Header {
  return (
    Array.isArray(pair) &&
    pair.length === 2 &&
    isToken(pair[0]) &&
    typeof pair[1] === 'string' &&
    !/[\r\n\0]/.test(pair[1])
  )
}
