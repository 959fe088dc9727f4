import type { ServiceKind } from '../kind.ts'
import { type DefinedScheme, schemeOf } from '../scheme.ts'

/**
 * Lovable: the default format under other names. The body has no id.
 *
 * POST of a JSON object. Its SDK takes a timestamp in seconds, milliseconds or as a date, and a window of 5 minutes.
 */
export const lovable: DefinedScheme<ServiceKind<'lovable', 'none', 'event'>> =
  /* @__PURE__ */ schemeOf({
    name: 'lovable',
    title: 'Lovable',
    documentation: 'https://www.npmjs.com/package/@lovable.dev/webhooks-js',
    checked: '2026-11-27',
    signature: { header: 'x-lovable-signature', encoding: 'hex' },
    keys: [{ algorithm: 'hmac-sha256', secret: 'text', prefix: 'sha256=' }],
    secret: { called: 'the Lovable API key of the project', several: 'each project has its own' },
    signed: ['timestamp', { text: '.' }, 'body'],
    timestamp: { at: { header: 'x-lovable-timestamp' }, unit: 'any', tolerance: 300 },
    event: [{ pointer: '/data/action_type' }, { pointer: '/type' }],
  })
