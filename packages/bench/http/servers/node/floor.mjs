import { json } from 'node:stream/consumers'

/** Node's own reader of JSON, without any verification. */
export default function floor(_secret, take) {
  return async (req, res) => {
    take(await json(req))
    res.writeHead(204).end()
  }
}
