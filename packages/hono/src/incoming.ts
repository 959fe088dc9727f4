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
    const onData = (chunk: Uint8Array) => {
      chunks.push(chunk)
      received += chunk.length
      if (received <= limit) return
      release()
      incoming.pause()
      reject(new Refusal('body_too_large', { limit }))
    }
    const onEnd = () => {
      release()
      resolve(joined(chunks, received))
    }
    const onCut = () => {
      release()
      reject(new Refusal('body_incomplete', { received }))
    }
    // A request lives as long as its connection idles, and a listener keeps all that it can see.
    const release = () => {
      incoming.off('data', onData)
      incoming.off('end', onEnd)
      for (const event of CUT) incoming.off(event, onCut)
    }
    if (incoming.destroyed && !incoming.readableEnded) return onCut()
    incoming.on('data', onData)
    incoming.on('end', onEnd)
    for (const event of CUT) incoming.on(event, onCut)
  })
}

const CUT = ['error', 'close'] as const
