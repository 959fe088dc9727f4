import { signatureMatches } from '../textbook.mjs'

/** What tutorials show: the chunks joined, then createHmac and timingSafeEqual, then JSON.parse. */
export default function handWritten(secret, take) {
  return (req, res) => {
    const chunks = []
    req.on('data', (chunk) => chunks.push(chunk))
    req.on('end', () => {
      const body = Buffer.concat(chunks)
      const { 'x-webhook-signature': signature, 'x-webhook-timestamp': timestamp } = req.headers
      if (!signatureMatches(secret, timestamp, body, signature)) {
        res.writeHead(401).end()
        return
      }
      take(JSON.parse(body.toString()))
      res.writeHead(204).end()
    })
  }
}
