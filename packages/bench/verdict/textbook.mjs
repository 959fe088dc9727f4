import { createHmac, timingSafeEqual } from 'node:crypto'
import { SECRET } from './secret.mjs'

/** The check that tutorials show, alone and with the parse of what it let through. */
export const TEXTBOOK = [
  {
    name: 'textbook',
    work: 'verdict',
    load: () => (body, signed) => textbook(body, headersOf(signed)),
  },
  {
    name: 'textbook again',
    work: 'verdict',
    load: () => (body, signed) => textbook(body, headersOf(signed)),
  },
  {
    name: 'textbook + JSON.parse',
    work: 'parsed',
    load: () => (body, signed) => parsing(body, headersOf(signed)),
  },
  {
    name: 'textbook + JSON.parse again',
    work: 'parsed',
    load: () => (body, signed) => parsing(body, headersOf(signed)),
  },
]

/** The headers that the service sends, as Node gives them. */
export function headersOf(signed, secret = SECRET) {
  const timestamp = String(Math.floor(Date.now() / 1000))
  const digest = createHmac('sha256', secret).update(`${timestamp}.`).update(signed).digest('hex')
  return {
    host: 'localhost',
    'user-agent': 'bench',
    'content-type': 'application/json',
    'content-length': String(signed.length),
    'x-webhook-id': '7d7c2a52-3c55-4b0e-9d0a-3b1f0e6f5a11',
    'x-webhook-timestamp': timestamp,
    'x-webhook-signature': `sha256=${digest}`,
  }
}

function textbook(body, headers) {
  return { call: () => verify(body, headers) }
}

function parsing(body, headers) {
  return { call: () => verify(body, headers) && JSON.parse(body.toString()) }
}

/** Whether the headers sign the body. */
export function verify(body, headers) {
  const digest = createHmac('sha256', SECRET)
    .update(`${headers['x-webhook-timestamp']}.`)
    .update(body)
    .digest()
  const received = Buffer.from(headers['x-webhook-signature'].slice('sha256='.length), 'hex')
  return timingSafeEqual(digest, received)
}
