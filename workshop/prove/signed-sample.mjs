import { execFileSync } from 'node:child_process'
import { createHash, createPrivateKey, randomUUID, sign } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
  const data = scheme.sample?.(event) ?? {}
  if (!scheme.value) return signedByAws(data)
  const [key] = scheme.value.keys
  if (!key.algorithm.startsWith('hmac')) return signedByKey(scheme, event, data, key)
  const secret = secretOf(key, scheme.value.secret?.begins)
  return { secret, ...(await signDelivery(secret, event, { scheme, event, url })) }
}

function secretOf({ secret, secretPrefix = '' }, begins = secretPrefix) {
  const text = 'Samples only, never a secret....'
  return `${begins}${secret === 'text' ? text : Buffer.from(text).toString(secret)}`
}

/** By Node, with a separate pair of keys. */
function signedByKey(scheme, event, data, key) {
  const { publicKey: secret, privateKey } = keyPairFor(scheme)
  const parts = { id: randomUUID(), event, time: Date.now(), url: '' }
  const body = scheme.compose(data, parts)
  const { signature, signed, timestamp, id } = scheme.value
  const time = String(Math.floor(parts.time / (timestamp?.unit === 'ms' ? 1 : 1000)))
  const content = signed.map((part) => {
    if (part === 'body') return body
    return Buffer.from(part === 'timestamp' ? time : part.text)
  })
  const hash = key.algorithm === 'ed25519' ? null : 'sha256'
  const made = sign(hash, Buffer.concat(content), privateKey).toString(signature.encoding)
  const headers = { 'content-type': 'application/json', [signature.header]: made }
  if (timestamp?.at.header) headers[timestamp.at.header] = time
  if (id?.[0]?.header) headers[id[0].header] = parts.id
  return { secret, privateKey, headers, body }
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
  const signature = sign('sha256', Buffer.from(content.join('')), createPrivateKey(key))
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
  const folder = mkdtempSync(join(tmpdir(), 'certificate-'))
  try {
    const [key, certificate] = ['key.pem', 'certificate.pem'].map((name) => join(folder, name))
    const names = ['-subj', '/CN=sns.amazonaws.com', '-keyout', key, '-out', certificate]
    const form = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2']
    execFileSync('openssl', ['req', ...form, ...names], { stdio: 'ignore' })
    return { key: readFileSync(key), certificate: readFileSync(certificate, 'utf8') }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
