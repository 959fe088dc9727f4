import { json } from 'node:stream/consumers'
import { contract } from '@webhook-receiver/core/internal'
import { webhookHandler } from '@webhook-receiver/node'
import { signatureMatches } from '../../verification/plain.mjs'
import { BODY } from '../subjects.mjs'

/** By name: a request listener that verifies with `secret` and calls `take` with the delivery. */
export const servers = {
  'JSON parser': (_secret, take) => async (req, res) => {
    take(await json(req))
    res.writeHead(204).end()
  },

  'webhook-receiver': (secret, take) => webhookHandler(secret, (delivery) => take(delivery)),

  'webhook-receiver, with a body': (secret, take) =>
    webhookHandler(secret, (delivery) => take(delivery), {
      scheme: { ...contract, success: SUCCESS },
    }),

  'plain node:crypto': (secret, take) =>
    reading((body, req, res) => {
      const { 'x-webhook-signature': signature, 'x-webhook-timestamp': timestamp } = req.headers
      if (!signatureMatches(secret, timestamp, body, signature)) {
        res.writeHead(401).end()
        return
      }
      take(JSON.parse(body.toString()))
      res.writeHead(204).end()
    }),

  /** No limit, no error handling, no verification. */
  'bare listeners': (_secret, take) =>
    reading((body, _req, res) => {
      take(JSON.parse(body.toString()))
      res.writeHead(204).end()
    }),

  /** It responds by itself, with 200 and a text. */
  async octokit(secret, take) {
    const { createNodeMiddleware, Webhooks } = await import('@octokit/webhooks')
    const webhooks = new Webhooks({ secret })
    webhooks.on('ping', ({ payload }) => take(payload))
    return createNodeMiddleware(webhooks, { path: '/webhooks' })
  },

  /** The part of Bolt's HTTPReceiver before an event is dispatched. */
  async slack(signingSecret, take) {
    const { default: bolt } = await import('@slack/bolt')
    const { parseAndVerifyHTTPRequest } = bolt.HTTPModuleFunctions
    return async (req, res) => {
      try {
        const { rawBody } = await parseAndVerifyHTTPRequest({ signingSecret }, req, res)
        take(JSON.parse(rawBody.toString()))
        res.writeHead(204).end()
      } catch {
        res.writeHead(401).end()
      }
    }
  },
}

const SUCCESS = {
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(BODY),
}

function reading(handle) {
  return (req, res) => {
    const chunks = []
    req.on('data', (chunk) => chunks.push(chunk))
    req.on('end', () => handle(Buffer.concat(chunks), req, res))
  }
}
