// Queues as far as a program that puts something into them can tell.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'

/** By the package of the client. */
export const QUEUES = { '@aws-sdk/client-sqs': sqs, inngest }

async function sqs() {
  const queue = await listen(({ MessageBody, MessageDeduplicationId }) => ({
    entry: { id: MessageDeduplicationId, content: JSON.parse(MessageBody) },
    reply: {
      MessageId: '1',
      MD5OfMessageBody: createHash('md5').update(MessageBody).digest('hex'),
    },
  }))
  return {
    ...queue,
    env: {
      AWS_REGION: 'eu-central-1',
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
      AWS_ENDPOINT_URL_SQS: queue.url,
      QUEUE_URL: `${queue.url}/000000000000/webhooks.fifo`,
    },
  }
}

async function inngest() {
  const queue = await listen((events) => {
    const [{ id, data }] = [events].flat()
    return { entry: { id, content: data }, reply: { ids: [id], status: 200 } }
  })
  return { ...queue, env: { INNGEST_BASE_URL: queue.url, INNGEST_EVENT_KEY: 'test' } }
}

/** A server that keeps an entry for each request. */
async function listen(read) {
  const entries = []
  const server = createServer(async (request, response) => {
    const { entry, reply } = read(JSON.parse(String(Buffer.concat(await request.toArray()))))
    entries.push(entry)
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(reply))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    entries,
    url: `http://127.0.0.1:${server.address().port}`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
