import { type DeliveryName, signed } from '../deliveries.ts'

export interface Source {
  readonly stream: ReadableStream<Uint8Array>
  /** How many bytes were asked of it so far. */
  readonly pulled: () => number
}

/** A body that comes in chunks, as fast as it is asked for and no faster. */
export function chunked(chunks: Iterable<Uint8Array>): Source {
  const iterator = chunks[Symbol.iterator]()
  let bytes = 0
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const { done, value } = iterator.next()
        if (done) return controller.close()
        bytes += value.length
        controller.enqueue(value)
      },
    },
    { highWaterMark: 0 },
  )
  return { stream, pulled: () => bytes }
}

/** `bytes` in pieces of `size`. */
export function* pieces(bytes: Uint8Array, size: number): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size)
}

/** Chunks of `size` bytes without end. */
export function* endless(size: number): Generator<Uint8Array> {
  for (;;) yield new Uint8Array(size)
}

/** A Request that brings a delivery with its signed headers, and any body. */
export function request(
  name: DeliveryName,
  body: ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer> | null = signed(name).body,
  headers: Readonly<Record<string, string>> = {},
): Request {
  const { timestamp, signature } = signed(name)
  const init: RequestInit & { duplex: 'half' } = {
    method: 'POST',
    headers: {
      'X-Webhook-Timestamp': timestamp,
      'X-Webhook-Signature': signature,
      ...headers,
    },
    body,
    duplex: 'half',
  }
  return new Request('http://localhost/webhooks?a=1', init)
}
