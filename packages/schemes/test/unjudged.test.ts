import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { type DefinedScheme, defineScheme, type SchemeValue } from '../src/index.ts'
import list from '../unjudged.json' with { type: 'json' }
import { ALL, verdict } from './vectors.ts'

// The first request of each as its documentation describes it, written without the engine: what the MAC is of, around the body.
const SECRET = 'a secret of the application'
const TIME = '1795392000'
const DATE = '2026-11-23T00:00:00Z'
const URL = 'https://example.com/hook'
const BODY = '{"note":"é $&"}'

/** The header with the signature, its hash, the prefix and the encoding of its digest, and what is signed if that is not the body alone. */
const SENT: Readonly<Record<string, readonly [header: string, form: string, content?: string]>> = {
  airtable: ['x-airtable-content-mac', 'hmac-sha256={sha256 hex}'],
  calcom: ['x-cal-signature-256', '{sha256 hex}'],
  calendly: ['calendly-webhook-signature', `t=${TIME},v1={sha256 hex}`, `${TIME}.${BODY}`],
  clickup: ['x-signature', '{sha256 hex}'],
  firecrawl: ['x-firecrawl-signature', 'sha256={sha256 hex}'],
  intercom: ['x-hub-signature', 'sha1={sha1 hex}'],
  launchdarkly: ['x-ld-signature', '{sha256 hex}'],
  nylas: ['x-nylas-signature', '{sha256 hex}'],
  storyblok: ['webhook-signature', '{sha1 hex}'],
  trello: ['x-trello-webhook', '{sha1 base64}', BODY + URL],
  typeform: ['typeform-signature', 'sha256={sha256 base64}'],
  vercel: ['x-vercel-signature', '{sha1 hex}'],
  woocommerce: ['x-wc-webhook-signature', '{sha256 base64}'],
  xero: ['x-xero-signature', '{sha256 base64}'],
  zendesk: ['x-zendesk-webhook-signature', '{sha256 base64}', DATE + BODY],
}

// JSON has no literal types.
const values = list.map(({ value }) => value as object as SchemeValue)

test('each value has a request, and none is of a service that is judged', () => {
  const names = values.map(({ name }) => name)
  expect(names.toSorted()).toEqual(Object.keys(SENT).toSorted())
  expect(ALL.filter(({ name }) => names.includes(name))).toEqual([])
  expect(list.filter(({ source }) => !source.startsWith('https://'))).toEqual([])
})

test.each(values)(
  '`defineScheme` takes the value of $name, and verifies what its documentation describes',
  async (value) => {
    const scheme: DefinedScheme = defineScheme(value)
    const [header = '', form = '', content = BODY] = SENT[value.name] ?? []
    const signature = form.replace(/\{(\w+) (\w+)\}/, (_, hash, encoding) =>
      createHmac(hash, SECRET).update(content).digest(encoding),
    )
    const isText = value.keys[0].secret === 'text'
    const secret = isText ? SECRET : Buffer.from(SECRET).toString('base64')
    const headers = { [header]: signature, 'x-zendesk-webhook-signature-timestamp': DATE }
    const verdictOf = (body: string) =>
      verdict(scheme, { secret, url: URL, headers, body: new TextEncoder().encode(body) })
    expect(await verdictOf(BODY)).toBe('valid')
    expect(await verdictOf(`${BODY} `)).toBe('mismatch')
    expect(scheme.ambiguous).toBe(false)
  },
)
