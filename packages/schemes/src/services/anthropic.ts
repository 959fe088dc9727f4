import type { ServiceKind } from '../kind.ts'
import { type DefinedScheme, schemeOf } from '../scheme.ts'
import { standard } from './standard.ts'

/**
 * Anthropic's Claude, as Standard Webhooks describes. The event is the type of `data`: that of the body is always `event`.
 *
 * POST of a JSON object with the kind and the id of what has changed. An endpoint that fails some 20 times is disabled.
 */
export const anthropic: DefinedScheme<ServiceKind<'anthropic', 'signed', 'event'>> =
  /* @__PURE__ */ schemeOf(
    /* @__PURE__ */ standard({
      name: 'anthropic',
      title: 'Anthropic',
      documentation: 'https://platform.claude.com/docs/en/managed-agents/webhooks',
      checked: '2026-11-26',
      secret: {
        called: 'the signing secret of the webhook endpoint',
        several: 'each endpoint has its own, and a workspace its own endpoints',
        begins: 'whsec_',
        mistaken: { 'sk-ant-': 'an API key' },
      },
      event: [{ pointer: '/data/type' }],
      retries: true,
    }),
  )
