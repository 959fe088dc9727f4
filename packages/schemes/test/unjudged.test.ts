import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type DefinedScheme, defineScheme, type SchemeValue } from '../src/index.ts'
import list from '../unjudged.json' with { type: 'json' }
import { ALL, verdict } from './vectors.ts'

// The first request of each as its documentation describes it, written without the engine: what the MAC is of, around the body.
const SECRET = 'a secret of the application'
const TIME = '1795392000'
const DATE = '2026-11-23T00:00:00Z'
const URL = 'https://example.com/hook'
const BODY = '{"note":"é $&"}'

type Signed = readonly [content: string, hash: 'sha1' | 'sha256', write: (mac: Buffer) => object]

const hex =
  (header: string, prefix = '') =>
  (mac: Buffer) => ({
    [header]: `${prefix}${mac.toString('hex')}`,
  })
const base64 =
  (header: string, prefix = '') =>
  (mac: Buffer) => ({
    [header]: `${prefix}${mac.toString('base64')}`,
  })

const SENT: Readonly<Record<string, Signed>> = {
  airtable: [BODY, 'sha256', hex('x-airtable-content-mac', 'hmac-sha256=')],
  calcom: [BODY, 'sha256', hex('x-cal-signature-256')],
  calendly: [`${TIME}.${BODY}`, 'sha256', hex('calendly-webhook-signature', `t=${TIME},v1=`)],
  clickup: [BODY, 'sha256', hex('x-signature')],
  firecrawl: [BODY, 'sha256', hex('x-firecrawl-signature', 'sha256=')],
  intercom: [BODY, 'sha1', hex('x-hub-signature', 'sha1=')],
  launchdarkly: [BODY, 'sha256', hex('x-ld-signature')],
  nylas: [BODY, 'sha256', hex('x-nylas-signature')],
  storyblok: [BODY, 'sha1', hex('webhook-signature')],
  trello: [`${BODY}${URL}`, 'sha1', base64('x-trello-webhook')],
  typeform: [BODY, 'sha256', base64('typeform-signature', 'sha256=')],
  vercel: [BODY, 'sha1', hex('x-vercel-signature')],
  woocommerce: [BODY, 'sha256', base64('x-wc-webhook-signature')],
  xero: [BODY, 'sha256', base64('x-xero-signature')],
  zendesk: [
    `${DATE}${BODY}`,
    'sha256',
    (mac) => ({
      ...base64('x-zendesk-webhook-signature')(mac),
      'x-zendesk-webhook-signature-timestamp': DATE,
    }),
  ],
}

// JSON has no literal types.
const values = list.map(({ value }) => value as object as SchemeValue)

test('each value has a request, and none is of a service that is judged', () => {
  const names = values.map(({ name }) => name)
  expect(names.toSorted()).toEqual(Object.keys(SENT).toSorted())
  expect(ALL.filter(({ name }) => names.includes(name))).toEqual([])
  expect(list.filter(({ source }) => !source.startsWith('https://'))).toEqual([])
})

describe.each(values.map((value) => [value.name, value] as const))('%s', (name, value) => {
  test('is taken by `defineScheme`, and verifies what its documentation describes', async () => {
    const scheme: DefinedScheme = defineScheme(value)
    const [content = '', hash = 'sha256', write = () => ({})] = SENT[name] ?? []
    const headers = write(createHmac(hash, SECRET).update(content).digest())
    const isText = value.keys[0].secret === 'text'
    const secret = isText ? SECRET : Buffer.from(SECRET).toString('base64')
    const request = { secret, url: URL, headers: headers as Record<string, string> }
    const body = (text: string) => new TextEncoder().encode(text)
    expect(await verdict(scheme, { ...request, body: body(BODY) })).toBe('valid')
    expect(await verdict(scheme, { ...request, body: body(`${BODY} `) })).toBe('mismatch')
    expect(scheme.ambiguous).toBe(false)
  })
})
