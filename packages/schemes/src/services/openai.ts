import type { ServiceKind } from '../kind.ts'
import { type DefinedScheme, schemeOf } from '../scheme.ts'
import { standard } from './standard.ts'

/**
 * OpenAI, as Standard Webhooks describes.
 *
 * POST of a JSON object with one event, retried for up to 72 hours; a redirect counts as a failure. Its SDK also takes signatures without
 * `v1,` and, as text, secrets without `whsec_`.
 */
export const openai: DefinedScheme<ServiceKind<'openai', 'signed', 'event'>> =
  /* @__PURE__ */ schemeOf(
    /* @__PURE__ */ standard({
      name: 'openai',
      title: 'OpenAI',
      documentation: 'https://platform.openai.com/docs/guides/webhooks',
      checked: '2026-11-26',
      secret: {
        called: 'the signing secret of the webhook endpoint',
        several: 'each endpoint has its own, and a project its own endpoints',
        begins: 'whsec_',
        mistaken: { 'sk-': 'an API key' },
      },
      event: [{ pointer: '/type' }],
      retries: true,
    }),
  )
