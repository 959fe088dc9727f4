import type { BodyForm } from './body-variant.ts'
import { joined } from './encodings.ts'
import { MAX_BODY } from './search.ts'

type Format = 'gzip' | 'deflate' | 'deflate-raw'
type Stream = TransformStream<BufferSource, Uint8Array>

/** The operating system that a gzip header may name (RFC 1952, section 2.3.1): Unix, unknown, and what others write. */
const SYSTEMS = [3, 255, 0, 10, 19]

/** The flag of the highest level in a gzip header. */
const HIGHEST = 2

export const COMPRESSION_FORMS: readonly BodyForm[] = [
  {
    code: 'body_compressed',
    what: 'matches the body after decompression',
    fix: 'Turn off request compression in the proxy, or decompress the body before the receiver gets it.',
    async *variants({ bytes }) {
      for (const format of formatsOf(bytes)) yield { bytes: await inflated(bytes, format) }
    },
  },
  {
    code: 'body_inflated',
    what: 'matches the body after compression',
    fix: 'Make the sender send the body uncompressed and sign what it sends, or keep the bytes from before the decompression.',
    async *variants({ bytes }) {
      if (formatsOf(bytes).length > 0) return
      const gzip = await deflated(bytes, 'gzip')
      if (!gzip) return
      for (const system of SYSTEMS) {
        for (const level of [gzip[8] ?? 0, HIGHEST]) {
          const bytes = gzip.slice()
          bytes.set([level, system], 8)
          yield { bytes }
        }
      }
      yield { bytes: await deflated(bytes, 'deflate') }
      yield { bytes: await deflated(bytes, 'deflate-raw') }
    },
  },
]

/** The formats that begin with these two bytes (RFC 1952, section 2.3; RFC 1950, section 2.2). */
export function formatsOf([first = 0, second = 0]: Uint8Array): readonly Format[] {
  if (first === 0x1f && second === 0x8b) return ['gzip']
  if (first === 0x78 && (first * 256 + second) % 31 === 0) return ['deflate']
  return []
}

/** `undefined` where the bytes are damaged, or the result is larger than a body may be. */
async function inflated(bytes: Uint8Array, format: Format): Promise<Uint8Array | undefined> {
  return typeof DecompressionStream === 'undefined'
    ? undefined
    : through(bytes, new DecompressionStream(format))
}

async function deflated(bytes: Uint8Array, format: Format): Promise<Uint8Array | undefined> {
  return typeof CompressionStream === 'undefined'
    ? undefined
    : through(bytes, new CompressionStream(format))
}

async function through(
  bytes: Uint8Array,
  { readable, writable }: Stream,
): Promise<Uint8Array | undefined> {
  const writer = writable.getWriter()
  // The reader gets the same error.
  const written = writer.write(Uint8Array.from(bytes)).then(() => writer.close())
  written.catch(() => {})
  const reader = readable.getReader()
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return joined(...chunks)
      length += value.length
      if (length > MAX_BODY) {
        await reader.cancel()
        return undefined
      }
      chunks.push(value)
    }
  } catch {
    return undefined
  }
}
