import { execFileSync } from 'node:child_process'
import { createHash, sign } from 'node:crypto'
import { signDelivery } from '@webhook-receiver/core/testing'
import { keyPairFor } from '@webhook-receiver/schemes/services'

/**
 * A sample of a service as a request, with the secret of a receiver that has to accept it. Where only the service can sign, it is signed
 * here, with a separate key; `certificate` is that of Amazon SNS.
 *
 * @typedef {object} SignedSample
 * @property {string} secret
 * @property {Readonly<Record<string, string>>} headers
 * @property {Uint8Array<ArrayBuffer>} body
 * @property {string} [privateKey]
 * @property {string} [certificate]
 *
 * @param {import('@webhook-receiver/core').Scheme} scheme
 * @param {string} event
 * @param {string} url
 * @returns {Promise<SignedSample>}
 */
export async function signedSample(scheme, event, url) {
  if (!scheme.value) return signedByAws(scheme.sample?.(event) ?? {})
  const [key] = scheme.value.keys
  const pair = key.algorithm.startsWith('hmac') ? {} : keyPairFor(scheme)
  const { privateKey, publicKey: secret = secretOf(key, scheme.value.secret?.begins) } = pair
  const signed = await signDelivery(privateKey ?? secret, event, { scheme, event, url })
  return { secret, privateKey, ...signed }
}

function secretOf({ secret, secretPrefix = '' }, begins = secretPrefix) {
  const text = 'Samples only, never a secret....'
  return `${begins}${secret === 'text' ? text : Buffer.from(text).toString(secret)}`
}

const SIGNED_BY_AWS = {
  Notification: ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'],
  others: ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'],
}

/** By version 2, with a certificate that openssl makes. */
function signedByAws(message) {
  const { key, certificate } = certified()
  const names = SIGNED_BY_AWS[message.Type] ?? SIGNED_BY_AWS.others
  const content = names.filter((name) => message[name]).map((name) => `${name}\n${message[name]}\n`)
  const signature = sign('sha256', Buffer.from(content.join('')), key)
  const name = createHash('md5').update(certificate).digest('hex')
  const body = {
    ...message,
    Signature: signature.toString('base64'),
    SigningCertURL: `https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-${name}.pem`,
  }
  return {
    secret: message.TopicArn,
    headers: {
      'content-type': 'text/plain; charset=UTF-8',
      'x-amz-sns-message-type': message.Type,
    },
    body: new TextEncoder().encode(JSON.stringify(body)),
    certificate,
  }
}

function certified() {
  const form = '-x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=sns.amazonaws.com'.split(' ')
  const args = ['req', ...form, '-keyout', '-']
  const pem = execFileSync('openssl', args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const at = pem.indexOf('-----BEGIN CERTIFICATE')
  return { key: pem.slice(0, at), certificate: pem.slice(at) }
}
