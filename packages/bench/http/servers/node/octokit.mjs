import { createNodeMiddleware, Webhooks } from '@octokit/webhooks'

/** It answers by itself: 200 and `ok`. */
export default function octokit(secret, take) {
  const webhooks = new Webhooks({ secret })
  webhooks.on('ping', ({ payload }) => take(payload))
  return createNodeMiddleware(webhooks, { path: '/webhooks' })
}
