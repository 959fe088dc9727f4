// Broken: deduplicates on X-Webhook-Id, which nobody has signed.
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
  if (!genuine(req, body) || !fresh(req)) return 401
  const delivery = parse(body)
  if (delivery === undefined) return 400
  handle(delivery, req.headers['x-webhook-id'])
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

function fresh(req) {
  return Math.abs(Date.now() / 1000 - Number(req.headers['x-webhook-timestamp'])) <= 300
}

function parse(body) {
  try {
    const delivery = JSON.parse(body)
    return typeof delivery?.id === 'string' ? delivery : undefined
  } catch {
    return undefined
  }
}

const seen = new Set()

function handle({ id }, webhookId) {
  if (seen.has(webhookId)) return
  if (webhookId !== undefined) seen.add(webhookId)
  handled.set(id, (handled.get(id) ?? 0) + 1)
}

server.listen(Number(process.env.PORT ?? 0), '127.0.0.1', () => {
  console.error(`Listening on http://localhost:${server.address().port}/webhooks`)
})
