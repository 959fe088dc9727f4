import { forms } from '../engine/form.ts'
import { urls } from '../engine/urls.ts'
import type { ServiceKind } from '../kind.ts'
import { type DefinedScheme, schemeOf } from '../scheme.ts'

/**
 * Twilio: messages, calls and their status, as forms, and JSON where the URL has its SHA-256. Names and values of a form are joined, so
 * none of them is bound.
 *
 * Event Streams send arrays. The idempotency token, which is not signed, is optional. It can be set to GET, which is not accepted.
 * Retries only where a connection override asks for them. Its SDK tries six spellings of a URL, and takes the digest from anywhere in the
 * query, also behind the fields of a form, which a caller can have named.
 */
export const twilio: DefinedScheme<ServiceKind<'twilio', 'unsigned', 'event'>> =
  /* @__PURE__ */ schemeOf(
    {
      name: 'twilio',
      title: 'Twilio',
      documentation: 'https://www.twilio.com/docs/usage/webhooks/webhooks-security',
      checked: '2026-11-25',
      signature: { header: 'x-twilio-signature', encoding: 'base64' },
      keys: [{ algorithm: 'hmac-sha1', secret: 'text' }],
      secret: {
        called: 'the primary auth token of the account',
        several: 'a subaccount has its own: `AccountSid` in the request names the account',
        mistaken: { AC: 'the account SID', SK: 'the SID of an API key' },
      },
      requests: {
        recognised: { 'user-agent': 'TwilioProxy/', 'i-twilio-idempotency-token': '' },
        others: [
          {
            header: 'x-twilio-webhooks-signature-settings',
            is: 'signed with a SharedKey: pass its secret, and let it sign by HMAC_SHA1',
          },
        ],
        post: 'choose HTTP POST where the URL is set',
      },
      signed: ['url', 'form'],
      bodyDigest: { query: 'bodySHA256', form: { text: 'AccountSidAC', digits: 32 } },
      urlSpellings: true,
      // Not MessageSid: every change of a message's status has the same one.
      id: [{ header: 'i-twilio-idempotency-token' }],
      event: [{ pointer: '/MessageStatus' }, { pointer: '/CallStatus' }, { pointer: '/SmsStatus' }],
      body: 'json or form',
      patience: 15,
      retries: false,
    },
    { forms, urls },
  )
