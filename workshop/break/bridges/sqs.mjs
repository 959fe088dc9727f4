// A stand-in of Amazon SQS with one FIFO queue and its dead-letter queue, as its documentation describes them: deduplication for five
// minutes, a group in order, visibility timeouts, a redrive policy. The SDK of AWS talks to it.
import { createHash, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { listening } from '@webhook-receiver/conformance'

const DEDUPLICATION = 300_000
const MAX_RECEIVES = 4

export async function startSqs() {
  const messages = []
  const dead = []
  const sent = new Map()

  const operations = {
    SendMessage({ MessageBody, MessageDeduplicationId, MessageGroupId }) {
      const known = sent.get(MessageDeduplicationId)
      const isCopy = known && Date.now() - known.at < DEDUPLICATION
      const { id } = isCopy ? known : { id: randomUUID() }
      if (!isCopy) {
        sent.set(MessageDeduplicationId, { id, at: Date.now() })
        messages.push({ id, body: MessageBody, group: MessageGroupId, receives: 0, visible: 0 })
      }
      return { MessageId: id, MD5OfMessageBody: md5(MessageBody) }
    },

    async ReceiveMessage({ VisibilityTimeout, WaitTimeSeconds }, isGone) {
      for (const end = Date.now() + WaitTimeSeconds * 1000; ; await delay(20)) {
        const message = isGone() ? undefined : receive(VisibilityTimeout)
        if (message) return { Messages: [message] }
        if (isGone() || Date.now() > end) return {}
      }
    },

    DeleteMessage({ ReceiptHandle }) {
      const at = messages.findIndex(({ handle }) => handle === ReceiptHandle)
      if (at >= 0) messages.splice(at, 1)
      return {}
    },

    GetQueueAttributes({ QueueUrl }) {
      const queue = QueueUrl.endsWith('/dead.fifo') ? dead : messages
      return { Attributes: { ApproximateNumberOfMessages: String(queue.length) } }
    },
  }

  /** The first message of a group of which none is being handled. */
  function receive(timeout) {
    const now = Date.now()
    for (const message of messages.filter(({ visible }) => visible <= now)) {
      if (message.receives < MAX_RECEIVES) continue
      messages.splice(messages.indexOf(message), 1)
      dead.push(message)
    }
    const blocked = new Set()
    for (const message of messages) {
      if (message.visible <= now && !blocked.has(message.group)) {
        message.receives += 1
        message.visible = now + timeout * 1000
        message.handle = randomUUID()
        const { id, handle, body } = message
        return { MessageId: id, ReceiptHandle: handle, Body: body, MD5OfBody: md5(body) }
      }
      blocked.add(message.group)
    }
    return undefined
  }

  const server = createServer(async (incoming, response) => {
    const text = Buffer.concat(await incoming.toArray()).toString()
    const operation = String(incoming.headers['x-amz-target']).replace('AmazonSQS.', '')
    const asked = JSON.parse(text || '{}')
    const reply = await operations[operation]?.(asked, () => response.destroyed)
    response.writeHead(reply ? 200 : 400, { 'content-type': 'application/x-amz-json-1.0' })
    response.end(JSON.stringify(reply ?? { __type: 'InvalidAction' }))
  })
  const { port, close } = await listening(server)
  const nothing = async () => {}
  return {
    url: `http://127.0.0.1:${port}`,
    // It keeps nothing on a disk.
    isShared: true,
    start: nothing,
    stop: nothing,
    remove: close,
  }
}

function md5(text) {
  return createHash('md5').update(text).digest('hex')
}
