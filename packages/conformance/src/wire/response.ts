/** One HTTP/1.1 response as it came off the wire. */
export interface Response {
  readonly status: number
  /** Names in lower case; repeated fields are joined with a comma. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: Buffer
}

/** What the reader found: a response, not enough bytes, or bytes that are not an HTTP response. */
export type Reading =
  | { readonly kind: 'response'; readonly response: Response; readonly rest: Buffer }
  | { readonly kind: 'incomplete'; readonly started: boolean }
  | { readonly kind: 'malformed' }

/**
 * Reads the first response in `bytes`.
 *
 * `ended` says that nothing more will come, which completes a response whose body runs to the
 * end of the connection; `method` is that of the request, since HEAD has no body
 * (RFC 9112, section 6.3).
 */
export function readResponse(bytes: Buffer, ended: boolean, method = 'POST'): Reading {
  const end = bytes.indexOf('\r\n\r\n')
  if (!'HTTP/1.'.startsWith(bytes.toString('latin1', 0, 7))) return { kind: 'malformed' }
  if (end < 0) return { kind: 'incomplete', started: bytes.length > 0 }
  const [line = '', ...fields] = bytes.toString('latin1', 0, end).split('\r\n')
  const status = Number(/^HTTP\/1\.[01] (\d{3})( |$)/.exec(line)?.[1] ?? Number.NaN)
  const headers = readHeaders(fields)
  if (Number.isNaN(status) || headers === undefined) return { kind: 'malformed' }
  const body = readBody(bytes.subarray(end + 4), { status, headers, ended, method })
  if (body === 'malformed') return { kind: 'malformed' }
  if (body === 'incomplete') return { kind: 'incomplete', started: true }
  return {
    kind: 'response',
    response: { status, headers, body: body.content },
    rest: bytes.subarray(end + 4 + body.consumed),
  }
}

function readHeaders(fields: readonly string[]): Map<string, string> | undefined {
  const headers = new Map<string, string>()
  for (const field of fields) {
    const [start, name] = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*/.exec(field) ?? []
    if (start === undefined || name === undefined) return undefined
    const value = field.slice(start.length, endWithoutSpace(field, start.length))
    const before = headers.get(name.toLowerCase())
    headers.set(name.toLowerCase(), before === undefined ? value : `${before}, ${value}`)
  }
  return headers
}

/** Not by an expression that is tied to the end: it tries each space as the first, and a server may send any number. */
function endWithoutSpace(field: string, start: number): number {
  let end = field.length
  while (end > start && /[ \t]/.test(field.charAt(end - 1))) end--
  return end
}

interface Framing {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly ended: boolean
  readonly method: string
}

type BodyReading =
  | { readonly content: Buffer; readonly consumed: number }
  | 'incomplete'
  | 'malformed'

function readBody(bytes: Buffer, { status, headers, ended, method }: Framing): BodyReading {
  const bodiless = method === 'HEAD' || status < 200 || status === 204 || status === 304
  if (bodiless) return { content: Buffer.alloc(0), consumed: 0 }
  if (headers.get('transfer-encoding')?.toLowerCase() === 'chunked') return readChunks(bytes)
  const length = headers.get('content-length')
  if (length === undefined) {
    return ended ? { content: bytes, consumed: bytes.length } : 'incomplete'
  }
  if (!/^\d+$/.test(length)) return 'malformed'
  const size = Number(length)
  if (bytes.length < size) return 'incomplete'
  return { content: bytes.subarray(0, size), consumed: size }
}

function readChunks(bytes: Buffer): BodyReading {
  const chunks: Buffer[] = []
  let position = 0
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', position)
    if (lineEnd < 0) return 'incomplete'
    const line = /^([0-9a-f]+)[ \t]*(;.*)?$/i.exec(bytes.toString('latin1', position, lineEnd))
    if (line === null) return 'malformed'
    const size = Number.parseInt(line[1] ?? '', 16)
    const start = lineEnd + 2
    if (size === 0) return endOfChunks(bytes, start, Buffer.concat(chunks))
    if (bytes.length < start + size + 2) return 'incomplete'
    if (bytes.toString('latin1', start + size, start + size + 2) !== '\r\n') return 'malformed'
    chunks.push(bytes.subarray(start, start + size))
    position = start + size + 2
  }
}

function endOfChunks(bytes: Buffer, start: number, content: Buffer): BodyReading {
  if (bytes.toString('latin1', start, start + 2) === '\r\n') return { content, consumed: start + 2 }
  const end = bytes.indexOf('\r\n\r\n', start)
  return end < 0 ? 'incomplete' : { content, consumed: end + 4 }
}
