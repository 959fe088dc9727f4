export type { Algorithm } from './keys/algorithm.ts'
export { type KeyByIdOptions, keyById } from './keys/by-id.ts'
export { type ChainOptions, certificateChain } from './keys/chain.ts'
export { type JwksOptions, jwks } from './keys/jwks.ts'
export type { FetchOptions, KeySource, TokenHeader, VerificationKey } from './keys/source.ts'
export { jwtScheme } from './scheme.ts'
export type { Claims, JwtKind, JwtService, Place, Unsigned } from './service.ts'
export { type AppStore, type AppStoreOptions, appStore } from './services/app-store.ts'
export {
  type CloudTasks,
  type GoogleOptions,
  googleCloudTasks,
  googlePubSub,
  type PubSub,
} from './services/google.ts'
export { type LiveKit, livekit } from './services/livekit.ts'
export { type QStash, qstash } from './services/qstash.ts'
