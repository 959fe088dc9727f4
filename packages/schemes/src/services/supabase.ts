import type { ServiceKind } from '../kind.ts'
import { type DefinedScheme, schemeOf } from '../scheme.ts'
import { standard } from './standard.ts'

/**
 * Auth hooks of Supabase, as Standard Webhooks describes. Supabase waits for what the handler replies. Its database webhooks sign nothing.
 *
 * POST of a JSON object without the name of an event: give each hook a route. 204 stands for no reply. Up to three attempts within 5
 * seconds, each with its own id; a status but 429 and 503 is final.
 */
export const supabase: DefinedScheme<ServiceKind<'supabase', 'signed', 'none'>> =
  /* @__PURE__ */ schemeOf(
    /* @__PURE__ */ standard({
      name: 'supabase',
      title: 'Supabase',
      documentation: 'https://supabase.com/docs/guides/auth/auth-hooks',
      checked: '2026-11-26',
      secret: {
        called: 'the secret of the hook (v1,whsec_…)',
        several: 'each hook has its own',
        mistaken: {
          eyJ: 'an API key',
          sb_secret_: 'an API key',
          sb_publishable_: 'an API key',
        },
        separator: '|',
      },
      requests: {
        recognised: { 'webhook-id': '' },
        signing: 'its hook has no secret: generate one in its settings',
      },
      decision: true,
      // supabase/auth, internal/hooks/hookshttp. It repeats 429 and 503 at once, if they have a Retry-After.
      replies: {
        statuses: {
          200: ['application/json'],
          202: ['application/json'],
          204: [],
          429: [],
          503: [],
        },
        instead: 'Report an error with 200: reply({ body: { error: { http_code, message } } }).',
      },
      patience: 5,
      retries: false,
    }),
  )
