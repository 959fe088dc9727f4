import type { Scheme } from '@webhook-receiver/core'
import { jwtScheme } from '../scheme.ts'
import type { JwtKind, JwtService } from '../service.ts'

export interface LiveKit extends JwtService {
  readonly name: 'livekit'
  readonly body: { readonly claim: 'sha256'; readonly encoding: 'base64' }
  readonly id: { readonly pointer: '/id' }
  readonly event: { readonly pointer: '/event' }
}

/**
 * LiveKit. The secret is the API secret. It signs the tokens of participants too: only those of webhooks have the hash of the body.
 *
 * @example
 * webhookHandler(process.env.LIVEKIT_API_SECRET, handlers, { scheme: livekit })
 */
export const livekit: Scheme<unknown, JwtKind<LiveKit>> = /* @__PURE__ */ jwtScheme<LiveKit>({
  name: 'livekit',
  title: 'LiveKit',
  token: { header: 'authorization' },
  algorithm: 'HS256',
  keys: 'secret',
  body: { claim: 'sha256', encoding: 'base64' },
  id: { pointer: '/id' },
  event: { pointer: '/event' },
  success: { status: 200 },
  secret: {
    called: 'the API secret',
    mistaken: { API: 'the API key, which stands beside the secret' },
  },
})
