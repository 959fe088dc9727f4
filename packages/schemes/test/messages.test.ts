import { createReceiver, type Scheme } from '@webhook-receiver/core'
import { expect, test, vi } from 'vitest'
import * as schemes from '../src/index.ts'

const { discordInteractions, github, sendgrid, standardWebhooks, stripe } = schemes

/** SPKI of P-256 in base64, from the tests of its SDK. */
const PUBLIC_KEY =
  'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE83T4O/n84iotIvIW4mdBgQ/7dAfSmpqIM8kF9mN1flpVKS3GRqe62gw+2fNNRaINXvVpiglSI8eNEc6wEA3F+g=='
const PEM = `-----BEGIN PUBLIC KEY-----\n${PUBLIC_KEY}\n-----END PUBLIC KEY-----`

// What each service is mistaken in is data: schemes.json has it, and schema.test.ts compares.
test.each<[Scheme, string, RegExp]>([
  [
    stripe,
    'sk_test_1',
    /begins with "sk_": that is an API key\. Pass the signing secret of the endpoint of Stripe, which begins with "whsec_"/,
  ],
  [stripe, 'https://example.com', /the URL of the endpoint/],
  [
    schemes.mollie,
    PEM,
    /begins with "-----BEGIN": that is a key or a certificate, and no shared secret\. Pass the/,
  ],
  [
    discordInteractions,
    'MTk4NjIyNDgzNDcxOTI1MjQ4.Cl2FMQ.abc',
    /hexadecimal digits\. Pass the public key of the application/,
  ],
  [standardWebhooks, 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', /Put whsec_ in front of it/],
  [standardWebhooks, 'not in base64', /pass whsec_ followed by that text in base64/],
])('a wrong kind of secret is a TypeError that names both: %#', (scheme, secret, text) => {
  const publicUrl = scheme.signsUrl && { publicUrl: 'https://app.example.com' }
  const make = () => createReceiver(secret, { scheme, ...publicUrl })
  expect(make).toThrow(TypeError)
  expect(make).toThrow(text)
  expect(make).not.toThrow(secret)
})

test('where people make it up, it is a warning', () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  createReceiver('github_pat_11AAA', { scheme: github })
  expect(String(warn.mock.calls)).toMatch(
    /begins with "github_pat_": that is a personal access token/,
  )
})

test('a public key in PEM is taken where a dashboard shows less', () => {
  const begins = { called: 'it', begins: '-----BEGIN' }
  for (const scheme of [sendgrid, schemes.defineScheme({ ...sendgrid.value, secret: begins })]) {
    expect(() => createReceiver(PEM, { scheme: scheme as Scheme })).not.toThrow()
  }
})
