import { type Header, headerValue, withHeader, withoutHeaders } from './headers.ts'

/** The headers as they go out: without those of another connection, with the Host and the framing of this one. */
export function wireHeaders(
  headers: readonly Header[],
  url: URL,
  body: Uint8Array,
): readonly Header[] {
  const kept = headers.filter(([name]) => isEndToEnd(name, headers))
  const withHost = withHeader(kept, 'Host', url.host)
  const framed = isChunked(headers)
    ? withoutHeaders(withHost, 'content-length')
    : withHeader(withHost, 'Content-Length', String(body.length))
  return [...framed, ['Connection', 'close']]
}

/** Without the headers of the connection on which they came. */
export function endToEnd(headers: readonly Header[]): readonly Header[] {
  return headers.filter(([name]) => !HOP_BY_HOP.test(name))
}

function isEndToEnd(name: string, headers: readonly Header[]): boolean {
  return !HOP_BY_HOP.test(name) || (/^transfer-encoding$/i.test(name) && isChunked(headers))
}

function isChunked(headers: readonly Header[]): boolean {
  return headerValue(headers, 'transfer-encoding')?.toLowerCase() === 'chunked'
}

/** About one connection and not about the delivery (RFC 9110, section 7.6.1). Node rejects some of them, such as `Trailer`. */
const HOP_BY_HOP =
  /^(?:connection|expect|http2-settings|keep-alive|te|trailer|transfer-encoding|upgrade|proxy-.*)$/i
