import type { EventPayloadMap } from '@octokit/webhooks-types'
import { diagnose } from '@webhook-receiver/diagnose'
import { type DeliveryStore, webhookHandler } from '@webhook-receiver/express'
import { github, typed } from '@webhook-receiver/schemes'
import type { RequestHandler } from 'express'

export function githubWebhooks(store: DeliveryStore): RequestHandler {
  return webhookHandler(
    process.env.GITHUB_SECRET,
    {
      push: async ({ scheme, id, event, data }) => {
        console.log(JSON.stringify({ scheme, id, event, ref: data.ref }))
      },
      'issues.opened': async ({ scheme, id, event, data }) => {
        console.log(JSON.stringify({ scheme, id, event, title: data.issue.title }))
      },
      // Whatever else happens to an issue.
      issues: async ({ scheme, id, event, action }) => {
        console.log(JSON.stringify({ scheme, id, event, action }))
      },
    },
    {
      scheme: typed<EventPayloadMap>(github),
      store,
      // GitHub does not sign the id. A body that is sent again with another id runs again.
      duplicates: 'id',
      diagnose,
    },
  )
}
