import { createHmac } from 'node:crypto'

const SECRET = `whsec_${Buffer.from('the secret of every contender').toString('base64')}`

const now = () => Math.floor(Date.now() / 1000)

/** How each service signs a body: the headers that its receiver asks for, and the secret as it wants it. */
export const SCHEMES = {
  none: { secret: SECRET, headers: () => ({}) },
  ours: {
    secret: SECRET,
    headers: (body) => ({
      'X-Webhook-Id': 'b5f9a3de-0d2c-4f0e-9a43-0b7b4f7f2c11',
      'X-Webhook-Timestamp': now(),
      'X-Webhook-Signature': `sha256=${hmac(SECRET, `${now()}.`, body, 'hex')}`,
    }),
  },
  line: {
    secret: SECRET,
    headers: (body) => ({ 'X-Line-Signature': hmac(SECRET, '', body, 'base64') }),
  },
  github: {
    secret: SECRET,
    headers: (body) => ({
      'X-GitHub-Event': 'ping',
      'X-GitHub-Delivery': 'b5f9a3de-0d2c-4f0e-9a43-0b7b4f7f2c11',
      'X-Hub-Signature-256': `sha256=${hmac(SECRET, '', body, 'hex')}`,
    }),
  },
  stripe: {
    secret: SECRET,
    headers: (body) => ({
      'Stripe-Signature': `t=${now()},v1=${hmac(SECRET, `${now()}.`, body, 'hex')}`,
    }),
  },
  standard: {
    secret: SECRET,
    headers: (body) => {
      const key = Buffer.from(SECRET.slice('whsec_'.length), 'base64')
      const id = 'msg_2b5f9a3de0d2c4f0e9a430b7b4f'
      return {
        'Webhook-Id': id,
        'Webhook-Timestamp': now(),
        'Webhook-Signature': `v1,${hmac(key, `${id}.${now()}.`, body, 'base64')}`,
      }
    },
  },
  slack: {
    secret: SECRET,
    headers: (body) => ({
      'X-Slack-Request-Timestamp': now(),
      'X-Slack-Signature': `v0=${hmac(SECRET, `v0:${now()}:`, body, 'hex')}`,
    }),
  },
}

function hmac(key, prefix, body, encoding) {
  return createHmac('sha256', key).update(prefix).update(body).digest(encoding)
}
