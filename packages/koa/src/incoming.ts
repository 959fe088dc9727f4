import type { Framework } from '@webhook-receiver/node/adapter'
import type { Context } from 'koa'

/** What Koa knows of its requests. */
export const KOA: Framework<Context> = {
  // Another receiver has read the body before, or a parser.
  holder: (ctx) => (ctx.state.verification ? ctx.state : ctx.request),
  address: (ctx) => ctx.ip,
  url: (ctx) => ctx.originalUrl,
  middleware: (ctx) => ctx.app.middleware.map(({ name }) => name),
  advice:
    'Mount the receiver before koa-bodyparser and other body parsers, and koa-body on other routes only.',
}
