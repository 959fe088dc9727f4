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
    what: 'fits the body inflated',
    fix: 'Turn off the compression of requests in the proxy in front, or inflate before the receiver.',
    async *variants({ bytes }) {
      for (const format of formatsOf(bytes)) yield { bytes: await inflated(bytes, format) }
    },
  },
  {
    code: 'body_inflated',
    what: 'fits the body compressed',
    fix: 'Let the sender sign what it sends and send it uncompressed, or keep the bytes before they are inflated.',
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

/** The formats that the first two bytes speak for (RFC 1952, section 2.3; RFC 1950, section 2.2). */
export function formatsOf([first = 0, second = 0]: Uint8Array): readonly Format[] {
  if (first === 0x1f && second === 0x8b) return ['gzip']
  if (first === 0x78 && (first * 256 + second) % 31 === 0) return ['deflate']
  return []
}

/** `undefined` where the bytes are damaged, or become more than a body may have. */
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
  // Its failure is the reader's too, who tells it.
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
