import type { ReadableBody } from '@webhook-receiver/core/adapter'

/** The request of Node that @hono/node-server hands over beside the Request, as far as it is needed. */
export interface NodeIncoming extends ReadableBody {
  readonly readableDidRead: boolean
  readonly readableFlowing: boolean | null
}

/** The request of Node behind a context, where there is one and nobody has begun to read it. */
export function untouchedIncoming(env: unknown): NodeIncoming | undefined {
  const incoming = (env as { readonly incoming?: NodeIncoming } | null | undefined)?.incoming
  return incoming?.readableDidRead === false && incoming.readableFlowing === null
    ? incoming
    : undefined
}
