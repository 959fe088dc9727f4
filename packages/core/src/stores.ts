// For authors of stores: `./store`. The interface `DeliveryStore` is in `index.ts`.
export { isAbandoned } from './handling/abandon.ts'
export {
  checkLease,
  checkStoreOptions,
  createSweeper,
  type Resolved,
  type StoreOptions,
  type StoreOptionTable,
} from './handling/store-options.ts'
