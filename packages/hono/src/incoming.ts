import { type DiscardableStream, joined, Refusal } from '@webhook-receiver/core/adapter'

/** The request of Node that @hono/node-server hands over beside the Request, as far as it is needed. */
export interface NodeIncoming extends DiscardableStream {
  readonly readableDidRead: boolean
  readonly readableFlowing: boolean | null
  on(event: 'data', listener: (chunk: Uint8Array) => void): unknown
  on(event: 'end' | 'close' | 'error', listener: () => void): unknown
  off(event: 'data', listener: (chunk: Uint8Array) => void): unknown
  off(event: 'end' | 'close' | 'error', listener: () => void): unknown
}

/** The request of Node behind a context, where there is one and nobody has begun to read it. */
export function untouchedIncoming(env: unknown): NodeIncoming | undefined {
  const incoming = (env as { readonly incoming?: NodeIncoming } | null | undefined)?.incoming
  return incoming?.readableDidRead === false && incoming.readableFlowing === null
    ? incoming
    : undefined
}

/**
 * Reads the body from Node's own stream, at most `limit` bytes of it: the web stream that node-server
 * makes of it costs more than all else together. Past the limit the stream is left paused, to be discarded.
 *
 * @throws Refusal `body_too_large` (413), `body_incomplete` (400).
 */
export function readIncoming(incoming: NodeIncoming, limit: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = []
    let received = 0
    const take = (chunk: Uint8Array) => {
      chunks.push(chunk)
      received += chunk.length
      if (received <= limit) return
      incoming.off('data', take)
      incoming.pause()
      reject(new Refusal('body_too_large', { limit }))
    }
    const cut = () => {
      if (!incoming.readableEnded) reject(new Refusal('body_incomplete', { received }))
    }
    if (incoming.destroyed) return cut()
    incoming.on('data', take)
    incoming.on('end', () => resolve(joined(chunks, received)))
    incoming.on('close', cut)
    incoming.on('error', cut)
  })
}
