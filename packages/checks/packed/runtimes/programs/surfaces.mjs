// What the vectors are sent to, on every runtime: nothing here is of one runtime only.
import { createReceiver, WebhookError, webhookHandler } from '@webhook-receiver/core'
import { webhookMiddleware } from '@webhook-receiver/hono'
import * as schemes from '@webhook-receiver/schemes'
import { Hono } from 'hono'
import { countSubtle } from './backend.mjs'
import { judgeInside } from './inside.mjs'

/** @typedef {{ surface: string, secret: string, clock: number, path: string, callback: string }} Settings */

const SURFACES = {
  /** `receiveRequest`, behind a router of one line. */
  receiveRequest({ secret, path, now, onDelivery }) {
    const receiver = createReceiver(secret, { now, onRejected: false })
    return async (request) => {
      if (new URL(request.url).pathname !== path) return new Response(null, { status: 404 })
      try {
        const { delivery } = await receiver.receiveRequest(request)
        await onDelivery(delivery)
        return new Response(null, { status: 204 })
      } catch (error) {
        return error instanceof WebhookError
          ? error.getResponse()
          : new Response(null, { status: 500 })
      }
    }
  },
  /** The middleware of Hono. */
  hono({ secret, path, now, onDelivery }) {
    const app = new Hono()
    app.post(path, webhookMiddleware(secret, { now, onRejected: false }), async (c) => {
      await onDelivery(c.var.delivery)
      return c.body(null, 204)
    })
    app.onError((error, c) => (error.getResponse ? error.getResponse() : c.body(null, 500)))
    return app.fetch
  },
  /** A handler of each service. The request names its service, and the secret of the vector. */
  schemes({ now }) {
    const handlers = Object.values(schemes)
      .filter((scheme) => typeof scheme === 'object')
      .map((scheme) => {
        const publicUrl = scheme.signsUrl ? 'https://example.com' : undefined
        const options = { scheme, now, publicUrl, onRejected: false }
        return [scheme.name, webhookHandler(secretOf, async () => {}, options)]
      })
    const named = Object.fromEntries(handlers)
    return (request) => named[request.headers.get('x-scheme')](request)
  },
}

function secretOf(request) {
  return decodeURIComponent(request.headers.get('x-secret'))
}

/**
 * Gives the handler of a surface. `receive` is judged here, without HTTP: its response to any request is
 * what came of every vector.
 *
 * @param {Settings} settings
 */
export function fetchOf({ surface, secret, clock, path, callback }) {
  const now = () => clock * 1000
  if (surface === 'receive') {
    const subtle = countSubtle()
    return async (request) => {
      const results = await judgeInside({ cases: await request.json(), secret, now })
      return Response.json({ results, signedBySubtle: subtle.signed })
    }
  }
  const onDelivery = async (delivery) => {
    const response = await fetch(callback, {
      method: 'POST',
      headers: { polluted: String('polluted' in {}) },
      body: JSON.stringify(delivery),
    })
    await response.arrayBuffer()
    if (!response.ok) throw new Error('the handler fails on purpose')
  }
  return SURFACES[surface]({ secret, path, now, onDelivery })
}
