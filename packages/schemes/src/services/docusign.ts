import { rare } from '../engine/rare.ts'
import type { ServiceKind } from '../kind.ts'
import { type DefinedScheme, schemeOf } from '../scheme.ts'

/**
 * DocuSign Connect, in its JSON form. Each HMAC key of the account signs in a header of its own, of which any may match. A body has no id.
 *
 * POST of a JSON object with one event, which can hold the documents.
 */
export const docusign: DefinedScheme<ServiceKind<'docusign', 'none', 'event'>> =
  /* @__PURE__ */ schemeOf(
    {
      name: 'docusign',
      title: 'DocuSign',
      documentation: 'https://developers.docusign.com/platform/webhooks/connect/validate/',
      checked: '2026-11-27',
      signature: {
        header: [
          'x-docusign-signature-1',
          'x-docusign-signature-2',
          'x-docusign-signature-3',
          'x-docusign-signature-4',
          'x-docusign-signature-5',
          'x-docusign-signature-6',
          'x-docusign-signature-7',
          'x-docusign-signature-8',
          'x-docusign-signature-9',
          'x-docusign-signature-10',
        ],
        encoding: 'base64',
        separator: ';',
        each: true,
      },
      keys: [{ algorithm: 'hmac-sha256', secret: 'text' }],
      secret: {
        called: 'a Connect key of the account',
        several: 'demo and production have their own',
      },
      requests: {
        recognised: { 'x-docusign-digest-1': '' },
        signing: 'switch on Include HMAC Signature under Connect',
      },
      signed: ['body'],
      event: [{ pointer: '/event' }],
      success: 200,
      retries: true,
      largest: 33_554_432,
    },
    { rare },
  )
