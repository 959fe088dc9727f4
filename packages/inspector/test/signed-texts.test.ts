import { createHmac, createPublicKey, type KeyObject, verify } from 'node:crypto'
import { existsSync } from 'node:fs'
import * as schemes from '@webhook-receiver/schemes'
import { awsSns } from '@webhook-receiver/schemes/aws-sns'
import { expect, it } from 'vitest'
import { recordedRequest } from './services.ts'
import { arrived, inspecting } from './setup.ts'

const DEFINED = Object.values<object>(schemes).filter(
  (one): one is schemes.DefinedScheme => 'value' in one,
)
const RECORDED = DEFINED.filter(({ name }) =>
  existsSync(new URL(`../../conformance/schemes/${name}.json`, import.meta.url)),
)

/** Whether one of the signatures in a header is right for a text, by node:crypto alone. */
function isSigned(value: schemes.SchemeValue, secret: string, text: string, header: string) {
  const [{ algorithm, secret: form, secretPrefix = '' }] = value.keys
  const signatures: readonly string[] = header.match(/[\w+/-]{24,}={0,2}/g) ?? []
  const { encoding } = value.signature
  if (algorithm.startsWith('hmac')) {
    const written = secret.replace(secretPrefix, '')
    const key = form === 'text' ? written : Buffer.from(written, form as BufferEncoding)
    const right = createHmac(algorithm.slice(5), key).update(text).digest(encoding)
    return signatures.includes(right)
  }
  return signatures.some((signature) =>
    verify(
      algorithm === 'ed25519' ? null : 'sha256',
      Buffer.from(text),
      publicKey(form, secret),
      Buffer.from(signature, encoding),
    ),
  )
}

function publicKey(form: string, secret: string): KeyObject {
  if (form === 'pem') return createPublicKey(secret)
  const bytes = Buffer.from(secret, form === 'hex' ? 'hex' : 'base64')
  // The bytes of Ed25519 alone: RFC 8410 puts these in front.
  const start = Buffer.from(bytes.length === 32 ? '302a300506032b6570032100' : '', 'hex')
  return createPublicKey({ key: Buffer.concat([start, bytes]), format: 'der', type: 'spki' })
}

it.each(RECORDED)('shows the very text that $name signs', async (scheme) => {
  const { secret, publicUrl, request } = recordedRequest(scheme.name)
  const { inspector, target, load } = await inspecting({ secret }, { scheme, publicUrl })
  await inspector.received(request, target)
  const { signature } = (await load(1)).attempt
  expect(signature.expected).toMatchObject([{ equal: true }])
  const text = signature.signed.map(({ text }: { text: string }) => text).join('')
  expect(isSigned(scheme.value, secret, text, signature.received)).toBe(true)
})

it('shows the content of a delivery that is signed field by field', async () => {
  const secret = 'arn:aws:sns:eu-west-1:123456789012:orders'
  const { inspector, target, load } = await inspecting({ secret }, { scheme: awsSns() })
  const message = { Type: 'Notification', MessageId: 'a', TopicArn: secret, Message: 'Hi there' }
  const body = JSON.stringify({
    ...message,
    ...{ Timestamp: '2026-11-25T10:00:00.000Z', SignatureVersion: '2', Signature: 'AAAA' },
    ...{ SigningCertURL: 'https://sns.eu-west-1.amazonaws.com/x.pem', MessageAttributes: {} },
  })
  const headers = [['x-amz-sns-message-type', 'Notification']]
  // Another topic, so that no certificate is asked for.
  const other = { ...target, secrets: { secret: `${secret}-2` } }
  await inspector.received(arrived(body, { headers, status: 401 }), other)
  const [{ part, text }] = (await load(1)).attempt.signature.signed
  expect([part, JSON.parse(text)]).toEqual(['data', expect.objectContaining(message)])
  expect(text).not.toContain('MessageAttributes')
})
