import { actions } from '../engine/actions.ts'
import type { ServiceKind } from '../kind.ts'
import { type DefinedScheme, schemeOf } from '../scheme.ts'

/**
 * Sentry's integration platform. It signs the body and nothing else: anyone who holds a signed body can change the id and the event, which
 * is a resource such as `issue`.
 *
 * POST of a JSON object, for which Sentry waits 1 s: leave the work to an inbox or a queue.
 */
export const sentry: DefinedScheme<ServiceKind<'sentry', 'unsigned', 'event and action'>> =
  /* @__PURE__ */ schemeOf(
    {
      name: 'sentry',
      title: 'Sentry',
      documentation:
        'https://docs.sentry.io/organization/integrations/integration-platform/webhooks/',
      checked: '2026-11-27',
      signature: { header: 'sentry-hook-signature', encoding: 'hex' },
      keys: [{ algorithm: 'hmac-sha256', secret: 'text' }],
      secret: {
        called: 'the client secret of the integration',
        several: 'each integration has its own',
        mistaken: {
          sntrys_: 'an organization token',
          sntryu_: 'a user token',
          'https://': 'the DSN',
        },
      },
      requests: {
        recognised: { 'sentry-hook-resource': '' },
        signing: 'its legacy plugin does not sign: use an integration',
      },
      signed: ['body'],
      id: [{ header: 'request-id' }],
      event: [{ header: 'sentry-hook-resource' }],
      action: [{ pointer: '/action' }],
      success: 200,
      patience: 1,
    },
    { actions },
  )
