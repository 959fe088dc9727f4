import type { Scheme } from '@webhook-receiver/core'
import { jwtScheme } from '../scheme.ts'
import type { JwtKind, JwtService } from '../service.ts'

export interface QStash extends JwtService {
  readonly name: 'qstash'
  readonly body: { readonly claim: 'body'; readonly encoding: 'base64url' }
  readonly id: { readonly header: 'upstash-message-id' }
}

/**
 * Upstash QStash. Pass both signing keys, because each signs at some time: `{ current, next }`. The token names the URL to which the message
 * was published, so `publicUrl` is required. The id is in a header, which is not signed.
 *
 * @example
 * const keys = { current: process.env.QSTASH_CURRENT_SIGNING_KEY, next: process.env.QSTASH_NEXT_SIGNING_KEY }
 * webhookHandler(keys, handle, { scheme: qstash, publicUrl: 'https://example.com/webhooks/qstash' })
 */
export const qstash: Scheme<unknown, JwtKind<QStash>> = /* @__PURE__ */ jwtScheme<QStash>({
  name: 'qstash',
  title: 'QStash',
  token: { header: 'upstash-signature' },
  algorithm: 'HS256',
  keys: 'secret',
  body: { claim: 'body', encoding: 'base64url' },
  mayBeEmpty: true,
  issuer: 'Upstash',
  url: 'sub',
  id: { header: 'upstash-message-id' },
  success: { status: 200 },
  // The largest message of a plan that has a limit (upstash.com/pricing/qstash).
  largest: 52_428_800,
  secret: { called: 'the signing key', begins: 'sig_' },
})
