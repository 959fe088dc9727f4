import type { ServiceKind } from '../kind.ts'
import { type DefinedScheme, schemeOf } from '../scheme.ts'
import { standard } from './standard.ts'

/** Liveblocks, as Standard Webhooks describes. POST of a JSON object with one event; an endpoint that fails for 5 days is disabled. */
export const liveblocks: DefinedScheme<ServiceKind<'liveblocks', 'signed', 'event'>> =
  /* @__PURE__ */ schemeOf(
    /* @__PURE__ */ standard({
      name: 'liveblocks',
      title: 'Liveblocks',
      documentation: 'https://liveblocks.io/docs/platform/webhooks',
      checked: '2026-11-27',
      secret: {
        called: 'the signing secret of the endpoint',
        several: 'each endpoint of a project has its own',
        begins: 'whsec_',
        mistaken: { sk_: 'the secret key of the project', pk_: 'the public key of the project' },
      },
      event: [{ pointer: '/type' }],
      retries: true,
    }),
  )
