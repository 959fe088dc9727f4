import type { SchemeResponse } from '@webhook-receiver/core'
import { writing } from '@webhook-receiver/node/adapter'
import type { Context } from 'koa'

/** Sends a response, unless something else has responded in the meantime. */
export function respond(ctx: Context, { status, headers, body }: SchemeResponse): void {
  if (ctx.headerSent) return
  writing(ctx.res, () => {
    // Something in front may have announced a body of its own.
    for (const name of ['Content-Encoding', 'Content-Range']) ctx.remove(name)
    ctx.status = status
    // Without a body Koa would send the text of the status.
    // Other bytes Koa would write as JSON.
    if (status !== 204)
      ctx.body = typeof body === 'object' ? Buffer.from(body.buffer) : (body ?? '')
    // Koa guesses a type, and adds a charset: the header is to be the same on every framework.
    ctx.remove('Content-Type')
    ctx.set({ ...headers })
    // Koa would remove the type of a 204.
    if (ctx.response.get('Content-Type') && status === 204) ctx.flushHeaders()
  })
}
