import { actions } from '../engine/actions.ts'
import { forms } from '../engine/form.ts'
import type { ServiceKind } from '../kind.ts'
import { type DefinedScheme, schemeOf } from '../scheme.ts'

/**
 * GitHub. It signs the body and nothing else: anyone who holds a signed body can change the delivery id and the event. SHA-1 is never
 * accepted.
 *
 * POST of JSON or, as its form preselects, of a form with the JSON in `payload`, of which there are up to 25 MB. One delivery a
 * request; it does not retry by itself, and a redelivery has the same id.
 */
export const github: DefinedScheme<ServiceKind<'github', 'unsigned', 'event and action'>> =
  /* @__PURE__ */ schemeOf(
    {
      name: 'github',
      title: 'GitHub',
      documentation:
        'https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries',
      checked: '2026-11-25',
      signature: { header: 'x-hub-signature-256', encoding: 'hex' },
      keys: [{ algorithm: 'hmac-sha256', secret: 'text', prefix: 'sha256=' }],
      secret: {
        called: 'the text in the field Secret of the webhook',
        mistaken: {
          ghp_: 'a personal access token',
          github_pat_: 'a personal access token',
          gho_: 'an OAuth token',
          ghs_: 'an installation token',
          '-----BEGIN': 'a private key',
        },
        chosen: true,
      },
      requests: {
        recognised: { 'x-github-event': '', 'user-agent': 'GitHub-Hookshot/' },
        signing: 'its webhook has no secret: fill in the field Secret',
        weak: { 'x-hub-signature': 'SHA-1' },
        others: [
          {
            header: 'x-github-hook-installation-target-type',
            begins: 'repository',
            is: 'from the webhook of a repository: pass the secret that is set there',
          },
          {
            header: 'x-github-hook-installation-target-type',
            begins: 'organization',
            is: 'from the webhook of an organization: pass the secret that is set there',
          },
          {
            header: 'x-github-hook-installation-target-type',
            begins: 'integration',
            is: 'from the webhook of a GitHub App: pass the secret in its settings',
          },
          {
            header: 'x-github-hook-installation-target-type',
            begins: 'business',
            is: 'from the webhook of an enterprise: pass the secret that is set there',
          },
        ],
      },
      signed: ['body'],
      id: [{ header: 'x-github-delivery' }],
      event: [{ header: 'x-github-event' }],
      action: [{ pointer: '/action' }],
      body: 'json or form',
      jsonField: 'payload',
      patience: 10,
      retries: false,
      largest: 33_554_432,
    },
    { actions, forms },
  )
