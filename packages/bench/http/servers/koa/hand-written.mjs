import Koa from 'koa'
import rawBody from 'raw-body'
import { signatureMatches } from '../textbook.mjs'

/** What tutorials show: the bytes by raw-body, then createHmac and timingSafeEqual, then JSON.parse. */
export default function handWritten(secret, take) {
  const app = new Koa()
  app.use(async (ctx) => {
    if (ctx.path !== '/webhooks') return
    const body = await rawBody(ctx.req, { length: ctx.req.headers['content-length'], limit: '1mb' })
    const timestamp = ctx.get('X-Webhook-Timestamp')
    ctx.assert(signatureMatches(secret, timestamp, body, ctx.get('X-Webhook-Signature')), 401)
    take(JSON.parse(body.toString()))
    ctx.status = 204
  })
  return app.callback()
}
