// For authors of stores: `./store`. The interface `DeliveryStore` is in `index.ts`.
export { withTimeout } from './async/timeout.ts'
export { wait } from './async/wait.ts'
export { type Interface, madeBy } from './copies/interfaces.ts'
export { isAbandoned } from './run/abandon.ts'
export {
  checkLease,
  checkStoreOptions,
  createSweeper,
  type Resolved,
  type StoreOptions,
  type StoreOptionTable,
} from './store/options.ts'
export { createTokens } from './store/tokens.ts'
export { checkValue } from './validate/check-options.ts'
export { isError } from './validate/error.ts'
export {
  CLOCK,
  functionRule,
  hidden,
  optional,
  RETENTION,
  type Rule,
  rule,
  stringRule,
} from './validate/rule.ts'
