import { drawDelivery } from './delivery.mjs'
import { drawPackages } from './packages.mjs'
import { drawStatuses } from './statuses.mjs'
import { drawStore } from './store.mjs'

/** Every picture, by the name of its file in docs/images. */
export function drawPictures() {
  return {
    delivery: drawDelivery(),
    store: drawStore(),
    statuses: drawStatuses(),
    packages: drawPackages(),
  }
}
