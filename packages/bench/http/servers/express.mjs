import { webhookMiddleware } from '@webhook-receiver/express'
import express from 'express'
import { signatureMatches } from '../../verification/plain.mjs'
import { BODY } from '../subjects.mjs'

const json = express.json({ limit: '1mb' })
const raw = express.raw({ type: 'application/json', limit: '1mb' })

/** By name: a request listener that verifies with `secret` and calls `take` with the delivery. */
export const servers = {
  'JSON parser': (_secret, take) =>
    app(
      json,
      handing(take, (req) => req.body),
    ),

  'webhook-receiver': (secret, take) =>
    app(
      webhookMiddleware(secret),
      handing(take, (req) => req.delivery),
    ),

  'webhook-receiver, with a body': (secret, take) =>
    app(webhookMiddleware(secret), (req, res) => {
      take(req.delivery)
      res.json(BODY)
    }),

  'plain node:crypto': (secret, take) =>
    app(raw, (req, res) => {
      const { 'x-webhook-signature': signature, 'x-webhook-timestamp': timestamp } = req.headers
      if (!signatureMatches(secret, timestamp, req.body, signature)) return res.sendStatus(401)
      take(JSON.parse(req.body.toString()))
      res.status(204).end()
    }),

  async line(channelSecret, take) {
    const { middleware } = await import('@line/bot-sdk')
    return app(
      middleware({ channelSecret }),
      handing(take, (req) => req.body),
    )
  },

  /** It responds by itself, with 200 and a text. */
  async octokit(secret, take) {
    const { createNodeMiddleware, Webhooks } = await import('@octokit/webhooks')
    const webhooks = new Webhooks({ secret })
    webhooks.on('ping', ({ payload }) => take(payload))
    return express().use(createNodeMiddleware(webhooks, { path: '/webhooks' }))
  },

  async stripe(secret, take) {
    const { default: Stripe } = await import('stripe')
    const { webhooks } = new Stripe('sk_test_none')
    return verifying(take, ({ body, headers }) =>
      webhooks.constructEvent(body, headers['stripe-signature'], secret),
    )
  },

  /** It returns nothing, so the body is parsed after it. */
  async svix(secret, take) {
    const { Webhook } = await import('svix')
    const webhook = new Webhook(secret)
    return verifying(take, ({ body, headers }) => {
      webhook.verify(body, headers)
      return JSON.parse(body.toString())
    })
  },

  async standardwebhooks(secret, take) {
    const { Webhook } = await import('standardwebhooks')
    const webhook = new Webhook(secret)
    return verifying(take, ({ body, headers }) => webhook.verify(body, headers))
  },

  /** With Stripe's scheme, which signs a timestamp as well. */
  async tern(secret, take) {
    const { createWebhookMiddleware } = await import('@hookflo/tern/express')
    return app(
      createWebhookMiddleware({ platform: 'stripe', secret }),
      handing(take, (req) => req.webhook.payload),
    )
  },
}

function app(...handlers) {
  return express().post('/webhooks', ...handlers)
}

function handing(take, deliveryOf) {
  return (req, res) => {
    take(deliveryOf(req))
    res.status(204).end()
  }
}

/** For a library without a middleware, as its documentation shows. */
function verifying(take, verify) {
  return app(raw, (req, res) => {
    try {
      take(verify(req))
    } catch {
      return res.status(400).json({})
    }
    res.status(204).end()
  })
}
