export type { RedisStoreOptions, SendCommand } from './options.ts'
export { redisStore } from './store.ts'
