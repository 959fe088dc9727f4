import { createReceiver } from '@webhook-receiver/core'
import { contract } from '@webhook-receiver/core/internal'
import { signDelivery } from '@webhook-receiver/core/testing'
import { expect, test } from 'vitest'
import * as exported from '../src/index.ts'
import {
  type Mistake,
  mistakesOf,
  neighbourScheme,
  refusalOf,
  SIGNATURE_MISTAKES,
  SIGNED_MISTAKES,
  schemeValueOf,
  sentOf,
  sharesSecret,
  signedBy,
  TIME_MISTAKES,
  withMistake,
  withTimestamp,
} from '../src/neighbours/index.ts'
import type { DefinedScheme } from '../src/scheme.ts'
import { type KeyPair, keyPairFor } from '../src/service-file.ts'
import { ALL } from './vectors.ts'

const TIME = 1_795_597_200_000
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

/** What a sender sends that makes one mistake: the headers of the service, and the signature of a neighbour. */
async function wrong(scheme: DefinedScheme, mistake: Mistake) {
  const { value } = scheme
  const parts = { id: 'evt_1', event: 'order.paid', time: TIME, url: URL_SIGNED }
  const content = scheme.value.jsonField ? { [scheme.value.jsonField]: '{}' } : { text: 'é $& 👋' }
  const body = scheme.compose?.(content, parts) ?? new Uint8Array()
  const secret = secretOf(scheme)
  const key = await scheme.importKey(pairs.get(scheme.name)?.publicKey ?? secret, 'The secret')
  const right = (await headersBy(scheme, secret, body, parts)) ?? {}
  const header = (name: string) => right[name]
  const sent = sentOf(value, header, scheme.idHeader)
  const all = [...mistake.neighbours(value, sent)]
  const tried = await Promise.all(
    all.map(async ({ value: edited }) => {
      const fixed = withTimestamp(edited, sent.timestamp)
      if (!fixed) return 'left out'
      const by = neighbourScheme({ ...edited, signed: fixed.signed })
      // A secret of another form is none here, and a form cannot be signed as a body.
      const headers = await headersBy(by, secretOf(scheme), body, parts).catch(() => undefined)
      if (!headers) return 'left out'
      const merged: Readonly<Record<string, string>> = { ...right, ...headers }
      try {
        const head = scheme.readHead({
          method: 'POST',
          header: (name) => merged[name],
          url: URL_SIGNED,
        })
        return (await scheme.verify(key, head, body)) ? 'accepted' : 'rejected'
      } catch {
        return 'rejected'
      }
    }),
  )
  return {
    tried,
    refused: all.filter(({ value: edited }) => refusalOf(edited) !== undefined).length,
  }
}

async function headersBy(
  by: DefinedScheme,
  secret: string,
  body: Uint8Array,
  parts: Parameters<NonNullable<DefinedScheme['sign']>>[2],
) {
  return by.sign?.(await by.importKey(secret, 'The secret', 'sign'), body, parts)
}

const MISTAKES = [...SIGNED_MISTAKES, ...SIGNATURE_MISTAKES, ...TIME_MISTAKES]

test.each(schemes.map((scheme) => [scheme.name, scheme] as const))(
  '%s rejects what is signed by each of its neighbours',
  async (_, scheme) => {
    const results = await Promise.all(
      MISTAKES.map(
        async (mistake) => [mistake.code, (await wrong(scheme, mistake)).tried] as const,
      ),
    )
    const accepted = results.filter(([, tried]) => tried.includes('accepted')).map(([code]) => code)
    expect(accepted).toEqual([])
    expect(
      results.flatMap(([, tried]) => tried).filter((one) => one === 'rejected').length,
    ).toBeGreaterThan(3)
  },
)

test('a neighbour that defineScheme refuses is tried all the same, and counted', async () => {
  const counts = await Promise.all(MISTAKES.map((mistake) => wrong(exported.stripe, mistake)))
  const refused = counts.reduce((sum, one) => sum + one.refused, 0)
  const tried = counts.flatMap((one) => one.tried).filter((one) => one !== 'left out').length
  expect(tried).toBeGreaterThan(refused)
})

test('each mistake has a code of its own, one plain sentence and a fix', () => {
  for (const { code, what, fix } of MISTAKES) {
    expect(code).toMatch(/^[a-z_]+$/)
    expect(what).toMatch(/^[a-z][^\n]*[^.]$/)
    expect(fix).toMatch(/^[A-Z][^\n]*\.$/)
  }
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
      const init = { method: 'POST', headers, body }
      return receiver.receiveRequest(new Request(URL_SIGNED, init)).then(
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
