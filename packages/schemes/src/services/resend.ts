import type { ServiceKind } from '../kind.ts'
import { type DefinedScheme, schemeOf } from '../scheme.ts'
import { standard } from './standard.ts'

/** Resend, which sends through Svix. POST of a JSON object with one event. */
export const resend: DefinedScheme<ServiceKind<'resend', 'signed', 'event'>> =
  /* @__PURE__ */ schemeOf(
    /* @__PURE__ */ standard(
      {
        name: 'resend',
        title: 'Resend',
        documentation: 'https://resend.com/docs/dashboard/webhooks/verify-webhooks-requests',
        checked: '2026-11-26',
        secret: {
          called: 'the signing secret of the webhook',
          several: 'each webhook has its own',
          begins: 'whsec_',
          mistaken: { re_: 'an API key' },
        },
        event: [{ pointer: '/type' }],
        patience: 15,
        retries: true,
      },
      'svix',
    ),
  )
