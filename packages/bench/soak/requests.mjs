import { headersOf } from '@webhook-receiver/trials/fuzzing/sockets/requests.mjs'

const MEBIBYTE = 1024 * 1024

/** Signed bytes that are not a delivery. */
const JUNK = Buffer.from('{"id":1}')

const REJECTED = [
  ({ delivery }) => ({ delivery, headers: { 'X-Webhook-Signature': undefined }, status: 401 }),
  ({ delivery }) => ({
    delivery,
    headers: { 'X-Webhook-Signature': `sha256=${'0'.repeat(64)}` },
    status: 401,
  }),
  ({ delivery }) => ({ delivery, headers: { 'X-Webhook-Timestamp': '1' }, status: 401 }),
  ({ stock }) => ({ delivery: stock.signed(100, 1, { secret: 'whsec_forged' }), status: 401 }),
  ({ stock }) => ({
    delivery: stock.signed(100, 2, { time: Date.now() - 600_000 }),
    status: 401,
  }),
  ({ stock }) => ({ delivery: stock.sign('junk', JUNK), status: 400 }),
  ({ delivery }) => ({ delivery, headers: { 'Content-Encoding': 'gzip' }, status: 415 }),
  ({ delivery }) => ({
    delivery,
    headers: { 'Transfer-Encoding': 'chunked' },
    cut: true,
    status: 401,
  }),
]

const LARGE = Buffer.alloc(2 * MEBIBYTE, ' ')

/** One in so many rejected requests is too large: it costs as much as hundreds of others. */
const LARGE_EVERY = 64

/** One request: a quarter of them is rejected, for one of several reasons; the others get the status `accepted`. */
export function requestOf(next, stock, accepted) {
  const delivery = stock.any()
  if (next() % 4 !== 0) return described({ delivery, status: accepted, token: delivery.token })
  if (next() % LARGE_EVERY === 0) {
    return described({ delivery: { ...delivery, body: LARGE }, status: 413 })
  }
  return described(REJECTED[next() % REJECTED.length]({ delivery, stock }))
}

function described({ delivery, headers = {}, status, token, cut = false }) {
  const all = { ...Object.fromEntries(headersOf(delivery)), ...headers }
  for (const name of Object.keys(all)) if (all[name] === undefined) delete all[name]
  const { body } = delivery
  const sent = cut ? body.subarray(1) : body
  if (!all['Transfer-Encoding']) all['Content-Length'] = sent.length
  return { headers: all, body: sent, status, token }
}
