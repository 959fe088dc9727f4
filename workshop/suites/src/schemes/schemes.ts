import { type DefinedScheme, defineScheme, type ServiceKind } from '@webhook-receiver/schemes'

/**
 * As some services sign: HMAC-SHA256 over the body and nothing else, id and event in headers that the signature does not cover, and the
 * action in the body.
 */
export const bodyScheme: DefinedScheme<ServiceKind<'body', 'unsigned', 'event and action'>> =
  defineScheme({
    name: 'body',
    checked: '2026-11-29',
    signature: { header: 'x-body-signature', encoding: 'hex' },
    keys: [{ algorithm: 'hmac-sha256', secret: 'text', prefix: 'sha256=' }],
    signed: ['body'],
    id: [{ header: 'x-body-id' }],
    event: [{ header: 'x-body-event' }],
    action: [{ pointer: '/action' }],
    patience: 10,
  })

/**
 * With all that a service may have besides: a handshake, a status and a body of its own for success, a signed URL, an event but
 * no id, and a timestamp.
 */
export const challengeScheme: DefinedScheme<ServiceKind<'challenge', 'none', 'event'>> = {
  ...defineScheme({
    name: 'challenge',
    checked: '2026-11-30',
    signature: { header: 'x-challenge-signature', encoding: 'base64' },
    keys: [{ algorithm: 'hmac-sha256', secret: 'text' }],
    signed: ['timestamp', { text: '.' }, 'url', { text: '.' }, 'body'],
    timestamp: { at: { header: 'x-challenge-time' }, unit: 's', tolerance: 300 },
    event: [{ pointer: '/type' }],
    handshakes: [
      {
        name: 'url_verification',
        when: { '/type': 'url_verification' },
        response: { status: 200, headers: { 'content-type': 'text/plain' }, echo: '/challenge' },
      },
    ],
    patience: 3,
  }),
  success: { status: 200, headers: { 'content-type': 'text/plain' }, body: 'ok' },
}
