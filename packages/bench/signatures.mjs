import { createHmac } from 'node:crypto'

/** Of every subject: a base64 text behind its prefix, as Standard Webhooks needs it. */
export const SECRET = `whsec_${Buffer.from('the secret of every contender').toString('base64')}`

/** The headers of a signed request, by the service that signs. */
const SCHEMES = {
  none: () => ({}),
  own: (body, secret, time) => ({
    'x-webhook-id': '7d7c2a52-3c55-4b0e-9d0a-3b1f0e6f5a11',
    'x-webhook-timestamp': time,
    'x-webhook-signature': `sha256=${hmac(secret, `${time}.`, body, 'hex')}`,
  }),
  line: (body, secret) => ({ 'x-line-signature': hmac(secret, '', body, 'base64') }),
  github: (body, secret) => ({
    'x-github-event': 'ping',
    'x-github-delivery': '7d7c2a52-3c55-4b0e-9d0a-3b1f0e6f5a11',
    'x-hub-signature-256': `sha256=${hmac(secret, '', body, 'hex')}`,
  }),
  stripe: (body, secret, time) => ({
    'stripe-signature': `t=${time},v1=${hmac(secret, `${time}.`, body, 'hex')}`,
  }),
  standard: standard('webhook'),
  svix: standard('svix'),
  slack: (body, secret, time) => ({
    'x-slack-request-timestamp': time,
    'x-slack-signature': `v0=${hmac(secret, `v0:${time}:`, body, 'hex')}`,
  }),
  sanity(body, secret) {
    const time = Date.now()
    return {
      'sanity-webhook-signature': `t=${time},v1=${hmac(secret, `${time}.`, body, 'base64url')}`,
    }
  },
}

/** All headers of a request with that body, in the case that Node gives. */
export function signedHeaders(scheme, body, secret = SECRET) {
  return {
    host: 'localhost',
    'user-agent': 'bench',
    'content-type': 'application/json',
    'content-length': String(body.length),
    ...SCHEMES[scheme](body, secret, String(Math.floor(Date.now() / 1000))),
  }
}

function standard(prefix) {
  return (body, secret, time) => {
    const id = 'msg_2b5f9a3de0d2c4f0e9a430b7b4f'
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
    return {
      [`${prefix}-id`]: id,
      [`${prefix}-timestamp`]: time,
      [`${prefix}-signature`]: `v1,${hmac(key, `${id}.${time}.`, body, 'base64')}`,
    }
  }
}

function hmac(key, prefix, body, encoding) {
  return createHmac('sha256', key).update(prefix).update(body).digest(encoding)
}
