import type { VectorBody, VectorRequest } from '../vectors.ts'

/** The bytes of one request, cut where the body begins. */
export interface RequestBytes {
  readonly head: Buffer
  readonly body: Buffer
}

/** Writes the request that a case describes, byte for byte. */
export function requestBytes(vector: VectorRequest): RequestBytes {
  if (vector.raw_base64 !== undefined) return splitRequest(Buffer.from(vector.raw_base64, 'base64'))
  const content = bodyBytes(vector.body)
  const lines = [`${vector.method} ${vector.path} ${vector.http}`]
  if (vector.host) lines.push('Host: localhost')
  for (const [name, value] of vector.headers) lines.push(`${name}: ${value}`)
  const framing = framingLine(vector, content.length)
  if (framing !== undefined) lines.push(framing)
  return {
    head: Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'),
    body: vector.framing === 'none' ? Buffer.alloc(0) : framedBody(vector, content),
  }
}

/** The bytes of a body as the sender signed it, without any framing. */
export function bodyBytes(body: VectorBody): Buffer {
  if ('text' in body) return Buffer.from(body.text)
  if ('base64' in body) return Buffer.from(body.base64, 'base64')
  const { prefix, unit, times, suffix = '' } = body.generate
  const one = Buffer.from(unit, 'base64')
  const many = Buffer.alloc(one.length * times, one)
  return Buffer.concat([Buffer.from(prefix, 'base64'), many, Buffer.from(suffix, 'base64')])
}

function framingLine(vector: VectorRequest, length: number): string | undefined {
  if (vector.framing === 'none') return undefined
  if (vector.framing === 'content-length') {
    return `Content-Length: ${vector.content_length ?? length}`
  }
  return 'Transfer-Encoding: chunked'
}

function framedBody(vector: VectorRequest, content: Buffer): Buffer {
  if (vector.framing === 'content-length' || vector.framing === 'none') return content
  const size = vector.framing === 'chunked' ? content.length : vector.framing.chunked
  const parts: Buffer[] = []
  for (let start = 0; start < content.length; start += size) {
    const chunk = content.subarray(start, start + size)
    parts.push(Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n'))
  }
  return Buffer.concat([...parts, Buffer.from('0\r\n\r\n')])
}

function splitRequest(bytes: Buffer): RequestBytes {
  const end = bytes.indexOf('\r\n\r\n')
  const cut = end < 0 ? bytes.length : end + 4
  return { head: bytes.subarray(0, cut), body: bytes.subarray(cut) }
}
