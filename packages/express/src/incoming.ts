import type { Framework } from '@webhook-receiver/node/adapter'
import type { Request } from 'express'

/** What Express knows of its requests. */
export const EXPRESS: Framework<Request> = {
  address: (req) => req.ip,
  url: (req) => req.originalUrl,
  middleware: middlewareNames,
  advice:
    'Mount the receiver before body parsers. Or let express.json() keep the bytes: ' +
    'express.json({ verify: captureRawBody }).',
}

/** The names of the middlewares in front, the application's and the route's, for the message that names the parser. */
function middlewareNames({ app, route }: Request): readonly string[] {
  // In this order: in Express 4 `router` throws.
  const router: unknown = Reflect.get(app, '_router') ?? Reflect.get(app, 'router')
  return [router, route].flatMap((owner) => {
    const stack: unknown = Object(owner).stack
    return Array.isArray(stack) ? stack.map((layer) => String(Object(layer).name ?? '')) : []
  })
}
