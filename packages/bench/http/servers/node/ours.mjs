import { webhookListener } from '@webhook-receiver/node'

export default function ours(secret, take) {
  return webhookListener(secret, (delivery) => take(delivery))
}
