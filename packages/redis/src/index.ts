export type { Claim, DeliveryStore } from '@webhook-receiver/core/handling'
export type { RedisCommand, RedisStoreOptions, SendCommand } from './options.ts'
export { redisStore } from './store.ts'
