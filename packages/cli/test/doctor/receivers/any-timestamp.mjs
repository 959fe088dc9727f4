// Broken: accepts any timestamp.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

const secret = process.env.WEBHOOK_SECRET
const LIMIT = 1_048_576
const handled = new Map()

const server = createServer(async (req, res) => {
  const url = new URL(req.url, 'http://localhost')
  if (url.pathname === '/handled') {
    return res.end(String(handled.get(url.searchParams.get('id')) ?? 0))
  }
  const status = await receive(req)
  res.writeHead(status).end()
})

async function receive(req) {
  if (req.method !== 'POST') return 405
  const body = await read(req)
  if (body === undefined) return 413
  if (!genuine(req, body)) return 401
  const delivery = parse(body)
  if (delivery === undefined) return 400
  handle(delivery)
  return 204
}

/** Bytes beyond the limit are read and discarded. */
async function read(req) {
  const chunks = []
  let length = 0
  for await (const chunk of req) {
    length += chunk.length
    if (length <= LIMIT) chunks.push(chunk)
  }
  return length > LIMIT ? undefined : Buffer.concat(chunks)
}

function genuine(req, body) {
  const { 'x-webhook-timestamp': timestamp, 'x-webhook-signature': signature } = req.headers
  if (timestamp === undefined || !/^sha256=[0-9a-f]{64}$/.test(signature)) return false
  const mac = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest()
  return timingSafeEqual(mac, Buffer.from(signature.slice(7), 'hex'))
}

function parse(body) {
  try {
    const delivery = JSON.parse(body)
    return typeof delivery?.id === 'string' ? delivery : undefined
  } catch {
    return undefined
  }
}

function handle({ id }) {
  if (!handled.has(id)) handled.set(id, 1)
}

server.listen(Number(process.env.PORT ?? 0), '127.0.0.1', () => {
  console.error(`Listening on http://localhost:${server.address().port}/webhooks`)
})
