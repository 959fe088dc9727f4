import { createHash } from 'node:crypto'
import type { Delivery } from '@webhook-receiver/express'
import { Queue, type QueueOptions } from 'bullmq'

/** Queues that each run one job at a time. To change their number, let the worker empty them first. */
const LANES = Array.from({ length: 16 }, (_, lane) => `webhooks-${lane}`)

/** Opens the queues, in which no more than one job runs at a time, whatever the number of workers. */
export function openLanes<Data>(options: QueueOptions): Queue<Data>[] {
  return LANES.map((name) => {
    const queue = new Queue<Data>(name, options)
    queue.on('error', (error) => console.error('redis:', error.message || error))
    return queue
  })
}

/** The queue of a conversation: always the same one, and one conversation in 16 shares it. */
export function laneOf<Lane>(lanes: readonly Lane[], delivery: Delivery): Lane {
  const digest = createHash('sha256').update(conversationOf(delivery)).digest()
  return lanes[digest.readUInt32BE() % lanes.length] as Lane
}

// The contract does not name conversations: here each instance is one. Return a finer name if your deliveries have one.
function conversationOf({ data }: Delivery): string {
  return data.instance_id
}
