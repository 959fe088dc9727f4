import type { Scheme } from '@webhook-receiver/core'
import { isRecord } from '@webhook-receiver/core/internal'
import { certificateChain } from '../keys/chain.ts'
import { jwtScheme } from '../scheme.ts'
import type { Claims, JwtKind, JwtService } from '../service.ts'

export interface AppStoreOptions {
  /** `Sandbox` and production have URLs of their own in App Store Connect. @default 'Production' */
  readonly environment?: 'Production' | 'Sandbox' | undefined
  /** The Apple ID of the app, which App Store Connect shows. Required in production. */
  readonly appAppleId?: number | undefined
  /** The SHA-256 of each root that is trusted. @default Apple Root CA - G3 */
  readonly roots?: readonly string[] | undefined
  /** The clock: milliseconds since the epoch. @default Date.now */
  readonly now?: (() => number) | undefined
}

export interface AppStore extends JwtService {
  readonly name: 'app-store'
  readonly body: 'claims'
  readonly id: { readonly pointer: '/notificationUUID' }
  readonly event: { readonly pointer: '/notificationType' }
  readonly action: { readonly pointer: '/subtype' }
}

/** Apple Root CA - G3 (apple.com/certificateauthority). */
const ROOT = '63343abfb89a6a03ebb57e9b3f5fa7be7c4f5c756f3017b3a8c488c3653e9179'

/** Apple's extensions of the certificates that sign for the App Store, and of the one that signs these. */
const [LEAF, INTERMEDIATE] = ['1.2.840.113635.100.6.11.1', '1.2.840.113635.100.6.2.1']

/** Where a notification says of which app it is. */
const PARTS = ['data', 'summary', 'externalPurchaseToken', 'appData']

/**
 * App Store Server Notifications, version 2. The secret is the bundle ID of your app: Apple signs those of all apps. `data` is the
 * notification; the transaction and the renewal in it are verified too, and stand in place of their tokens. Revocations of Apple's
 * certificates are not looked up.
 *
 * @throws TypeError in production without `appAppleId`.
 *
 * @example
 * webhookHandler('com.example.app', handlers, { scheme: appStore({ appAppleId: 1234567890 }) })
 */
export function appStore(options: AppStoreOptions = {}): Scheme<unknown, JwtKind<AppStore>> {
  const { environment = 'Production', appAppleId, roots = [ROOT], now } = options
  if (environment !== 'Production' && environment !== 'Sandbox') {
    throw new TypeError("`environment` should be 'Production' or 'Sandbox'.")
  }
  if (environment === 'Production' && !Number.isInteger(appAppleId)) {
    throw new TypeError(
      '`appAppleId` is missing: pass the Apple ID of the app, a number that App Store Connect shows.',
    )
  }
  const service: AppStore = {
    name: 'app-store',
    title: 'App Store',
    token: { property: 'signedPayload' },
    algorithm: 'ES256',
    keys: certificateChain({ from: 'Apple', roots, leaf: LEAF, intermediate: INTERMEDIATE, now }),
    body: 'claims',
    account: (claims) => partOf(claims).bundleId,
    check(claims) {
      const part = partOf(claims)
      const found = environmentOf(part)
      if (found !== environment) {
        return `it is of the environment ${JSON.stringify(found)}, and not ${environment}`
      }
      return environment === 'Production' && part.appAppleId !== appAppleId
        ? 'it has another Apple ID of the app (appAppleId)'
        : undefined
    },
    nested: [
      '/data/signedTransactionInfo',
      '/data/signedRenewalInfo',
      '/appData/signedAppTransactionInfo',
    ],
    expires: false,
    id: { pointer: '/notificationUUID' },
    event: { pointer: '/notificationType' },
    action: { pointer: '/subtype' },
    success: { status: 200 },
    secret: { called: 'the bundle ID' },
  }
  return jwtScheme(service)
}

function partOf(claims: Claims): Claims {
  return PARTS.map((name) => claims[name]).find(isRecord) ?? {}
}

/** The tokens of purchases outside of the App Store have it in their id. */
function environmentOf({ environment, externalPurchaseId }: Claims): unknown {
  if (typeof externalPurchaseId !== 'string') return environment
  return externalPurchaseId.startsWith('SANDBOX') ? 'Sandbox' : 'Production'
}
