import { createReceiver } from '@webhook-receiver/core'
import { contract } from '@webhook-receiver/core/internal'
import { signDelivery } from '@webhook-receiver/core/testing'
import { expect, test } from 'vitest'
import * as exported from '../src/index.ts'
import {
  mistakesOf,
  neighbourScheme,
  SIGNATURE_MISTAKES,
  SIGNED_MISTAKES,
  schemeValueOf,
  sharesSecret,
  signedBy,
  TIME_MISTAKES,
  withMistake,
} from '../src/neighbours/index.ts'
import type { DefinedScheme } from '../src/scheme.ts'
import { type KeyPair, keyPairFor } from '../src/service-file.ts'
import { requestOf } from './signed.ts'
import { ALL } from './vectors.ts'

const URL_SIGNED = 'https://example.com/webhooks?tenant=7'

const schemes: readonly DefinedScheme[] = [
  neighbourScheme(schemeValueOf(contract) ?? exported.stripe.value),
  ...ALL,
]

const pairs = new Map(
  schemes.filter((one) => !sharesSecret(one)).map((one) => [one.name, keyPairFor(one)]),
)

/** What signs. */
function secretOf({ name, value }: DefinedScheme): string {
  const key = value.keys.find(({ algorithm }) => algorithm.startsWith('hmac'))
  const { secret = 'text', secretPrefix = '' } = key ?? {}
  const bytes = Buffer.from('a secret of thirty-two characters')
  const text = secret === 'text' ? bytes : bytes.toString(secret === 'hex' ? 'hex' : 'base64')
  return pairs.get(name)?.privateKey ?? `${secretPrefix}${text}`
}

const MISTAKES = [...SIGNED_MISTAKES, ...SIGNATURE_MISTAKES, ...TIME_MISTAKES]

test('no two mistakes have the same code', () => {
  expect(new Set(MISTAKES.map(({ code }) => code)).size).toBe(MISTAKES.length)
})

const asymmetric = keyPairFor(exported.standardWebhooks as DefinedScheme)

test.each([
  ['the default format', contract as DefinedScheme, undefined],
  ['stripe', exported.stripe, undefined],
  ['telnyx', exported.telnyx, pairs.get('telnyx')],
  ['standard-webhooks, by a public key', exported.standardWebhooks, asymmetric],
] as readonly (readonly [string, DefinedScheme, KeyPair | undefined])[])(
  'a delivery of %s with a mistake is rejected',
  async (_, scheme, pair) => {
    const secret = pair?.privateKey ?? secretOf(scheme)
    const accepts = async (by: DefinedScheme) => {
      const data = { type: 'invoice.paid', data: { id: '1' } }
      const { headers, body } = await signDelivery(secret, data, { scheme: by, event: 'a.b' })
      const options = { scheme, onRejected: false, extraEvents: ['a.b'] } as const
      const receiver = createReceiver(pair?.publicKey ?? secret, options as object)
      return receiver.receiveRequest(requestOf({ url: URL_SIGNED, headers, body })).then(
        () => true,
        () => false,
      )
    }
    expect(await accepts(scheme)).toBe(true)
    const signing = schemeValueOf(signedBy(scheme, secret)) ?? scheme.value
    const codes = mistakesOf(signing).map(({ code }) => code)
    expect(codes).toContain('message_body_alone')
    for (const code of codes) {
      const wrong = withMistake(scheme, code) as DefinedScheme
      expect([code, await accepts(wrong)]).toEqual([code, false])
    }
  },
)

test('a mistake that no sender of the service can make lists those that it can', () => {
  expect(() => withMistake(exported.github as DefinedScheme, 'message_without_url')).toThrow(
    /A sender of github cannot make the mistake "message_without_url"\. There are: .*signature_encoding/,
  )
})
