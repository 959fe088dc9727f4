import { createNodeMiddleware, Webhooks } from '@octokit/webhooks'
import express from 'express'

/** It answers by itself: 200 and `ok`. */
export default function octokit(secret, take) {
  const webhooks = new Webhooks({ secret })
  webhooks.on('ping', ({ payload }) => take(payload))
  const app = express()
  app.use(createNodeMiddleware(webhooks, { path: '/webhooks' }))
  return app
}
