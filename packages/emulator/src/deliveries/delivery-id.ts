import type { Scheme } from '@webhook-receiver/core'
import { serviceFile } from '@webhook-receiver/schemes/services'

/** A new id of a delivery, in the form of the service where that is known, such as `evt_…`. */
export function newDeliveryId({ name }: Pick<Scheme, 'name'>): string {
  const { idBegins } = serviceFile(name) ?? {}
  const id = crypto.randomUUID()
  return idBegins ? idBegins + id.replaceAll('-', '') : id
}
