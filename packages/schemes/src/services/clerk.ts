import type { ServiceKind } from '../kind.ts'
import { type DefinedScheme, schemeOf } from '../scheme.ts'
import { standard } from './standard.ts'

/** Clerk, which sends through Svix. POST of a JSON object with one event. Its SDK takes only the headers that begin with `svix-`. */
export const clerk: DefinedScheme<ServiceKind<'clerk', 'signed', 'event'>> =
  /* @__PURE__ */ schemeOf(
    /* @__PURE__ */ standard(
      {
        name: 'clerk',
        title: 'Clerk',
        documentation: 'https://clerk.com/docs/guides/development/webhooks/overview',
        checked: '2026-11-26',
        secret: {
          called: 'the signing secret of the endpoint',
          several:
            'each endpoint has its own, and development and production have their own endpoints',
          begins: 'whsec_',
          mistaken: { sk_: 'the secret key of the instance', pk_: 'the publishable key' },
        },
        event: [{ pointer: '/type' }],
        patience: 15,
        retries: true,
      },
      'svix',
    ),
  )
