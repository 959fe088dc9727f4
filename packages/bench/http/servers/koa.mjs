import { bodyParser } from '@koa/bodyparser'
import Router from '@koa/router'
import { webhookMiddleware } from '@webhook-receiver/koa'
import Koa from 'koa'
import rawBody from 'raw-body'
import { signatureMatches } from '../../verification/plain.mjs'
import { BODY } from '../subjects.mjs'

/** By name: a request listener that verifies with `secret` and calls `take` with the delivery. */
export const servers = {
  'JSON parser': (_secret, take) =>
    routed(bodyParser({ jsonLimit: '1mb' }), (ctx) => {
      take(ctx.request.body)
      ctx.status = 204
    }),

  'webhook-receiver': (secret, take) =>
    routed(webhookMiddleware(secret), (ctx) => {
      take(ctx.state.delivery)
      ctx.status = 204
    }),

  'webhook-receiver, with a body': (secret, take) =>
    routed(webhookMiddleware(secret), (ctx) => {
      take(ctx.state.delivery)
      ctx.body = BODY
    }),

  'plain node:crypto': (secret, take) =>
    routed(async (ctx) => {
      const length = ctx.req.headers['content-length']
      const body = await rawBody(ctx.req, { length, limit: '1mb' })
      const timestamp = ctx.get('X-Webhook-Timestamp')
      ctx.assert(signatureMatches(secret, timestamp, body, ctx.get('X-Webhook-Signature')), 401)
      take(JSON.parse(body.toString()))
      ctx.status = 204
    }),
}

function routed(...middleware) {
  return new Koa().use(new Router().post('/webhooks', ...middleware).routes()).callback()
}
