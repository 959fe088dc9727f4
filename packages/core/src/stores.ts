// For authors of stores: `./store`. The interface `DeliveryStore` is in `index.ts`.
export { isAbandoned } from './run/abandon.ts'
export {
  checkLease,
  checkStoreOptions,
  createSweeper,
  type Resolved,
  type StoreOptions,
  type StoreOptionTable,
} from './store/options.ts'
