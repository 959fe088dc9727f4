import { type Rejection, WebhookError, webhookHandler } from '@webhook-receiver/core'
import { expect, test, vi } from 'vitest'
import {
  type DefinedScheme,
  docusign,
  github,
  meta,
  notion,
  pusher,
  sendgrid,
  stripe,
  twilio,
} from '../src/index.ts'
import { receive } from './signed.ts'
import { ALL, validRequest } from './vectors.ts'

type Headers = Readonly<Record<string, string>>

interface Sent {
  readonly headers?: Headers
  readonly body?: string
  readonly without?: string
}

/** The detail for a valid request whose secret is another than the receiver's, or which has no signature. */
async function detail(
  scheme: DefinedScheme,
  { headers, body = '{"other":true}', without = '' }: Sent,
): Promise<string> {
  const valid = validRequest(scheme)
  const { [without]: _, ...sent } = { ...valid.headers, ...headers }
  const options = scheme.signsUrl ? { publicUrl: valid.url } : {}
  const receiving = receive(scheme, { secret: valid.secret, headers: sent, body }, options)
  const error = await receiving.catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ status: 401 })
  return Object(error).detail
}

test.each<[string, DefinedScheme, Sent, string]>([
  ['a key', pusher, { headers: { 'x-pusher-key': '278d4' } }, 'x-pusher-key "278d4"'],
  [
    'the settings of a SharedKey',
    twilio,
    {
      headers: { 'x-twilio-webhooks-signature-settings': 'key=k,algorithm=HMAC_SHA1' },
      body: 'AccountSid=AC1',
    },
    'signed with a SharedKey',
  ],
  ['a product', meta, { body: '{"object":"instagram","entry":[]}' }, 'Instagram app secret'],
  [
    'the end of a large body',
    stripe,
    { body: `{\n  "id": "${'x'.repeat(9000)}",\n  "livemode": false,\n  "type": "a"\n}` },
    'of test mode',
  ],
  ['an account', stripe, { body: '{\n  "account": "acct_1"\n}' }, 'of a connected account'],
])('a request that another secret signs says so by %s', async (_, scheme, sent, expected) => {
  const found = await detail(scheme, sent)
  expect(found).toMatch(/^The request is .* shows that\. Wrong secret, .* Compare with /)
  expect(found).toContain(expected)
})

test.each<[DefinedScheme, Sent, RegExp]>([
  [
    notion,
    { without: 'x-notion-signature' },
    /^x-notion-signature is missing\. If Notion sent it, confirm its `verification_token` there, and pass it here/,
  ],
  [
    sendgrid,
    {
      without: 'x-twilio-email-event-webhook-signature',
      headers: { 'content-type': 'multipart/form-data; boundary=a' },
    },
    /an inbound email/,
  ],
  [docusign, { without: 'x-docusign-signature-1' }, /^x-docusign-signature-1 is missing\. If/],
])('a request that is not signed says why: %#', async (scheme, sent, expected) => {
  expect(await detail(scheme, sent)).toMatch(expected)
})

test('where a service has several secrets, the line says which one signs', async () => {
  expect(await detail(twilio, { body: 'AccountSid=AC1' })).toContain(
    '? Secret fingerprint: c3d284e9. Compare with the primary auth token of the account at Twilio (a subaccount has its own: `AccountSid` in the request names the account)',
  )
})

test('a value says which of several secrets signs, or what else of its service another one signs', () => {
  const silent = ALL.filter(({ value: { secret, requests } }) => {
    const others = requests?.others ?? []
    return secret?.several === undefined && others.every(({ unsigned }) => unsigned === true)
  })
  // These have one key for each account; that of Retell is described by its name.
  const names = silent.map(({ value }) => value.name).sort()
  expect(names, 'their values lack `several` in `secret`').toEqual(['retell', 'telnyx'])
})

test('what shows in a header is quoted in one line, and nothing of a body is', async () => {
  const key = `a\u0001${'b'.repeat(100)}`
  const found = await detail(pusher, { headers: { 'x-pusher-key': key }, body: 'SECRET' })
  expect(found).toMatch(/x-pusher-key "a\\u0001b{38}…" shows/)
  expect(found).not.toContain('SECRET')
})

const CHECK = 'its check of the URL needs `verifyToken`, chosen there, and hub.mode=subscribe'

test.each<[DefinedScheme, Headers, string]>([
  [meta, { 'user-agent': 'facebookplatform/1.0' }, `Meta sends GET: ${CHECK}`],
  // Tried by hand, or behind a proxy that leaves the header out.
  [meta, {}, `If Meta sent GET, ${CHECK}`],
  [
    github,
    { 'x-github-event': 'push' },
    'GitHub sends GET: choose POST there, or register the URL behind the redirect',
  ],
  [github, {}, 'Give browsers and health checks another route'],
])('a GET says why it comes: %#', async (scheme, headers, said) => {
  const onRejected = vi.fn<(rejection: Rejection) => void>()
  const handler = webhookHandler('a secret of it', async () => {}, { scheme, onRejected })
  const url = 'http://localhost/?hub.mode=subscribe&hub.challenge=1&hub.verify_token=a'
  expect((await handler(new Request(url, { headers }))).status).toBe(405)
  expect(onRejected.mock.calls[0]?.[0].detail).toContain(said)
})

test('of a request without a signature no header is quoted, which can be a secret', async () => {
  const rows = ALL.flatMap((scheme) =>
    (scheme.value.requests?.others ?? []).flatMap(({ header, begins = '', unsigned }) =>
      header && unsigned ? [{ scheme, header, begins }] : [],
    ),
  )
  expect(rows.map(({ header }) => header)).toContain('x-hook-secret')
  for (const { scheme, header, begins } of rows) {
    const [without = ''] = [scheme.value.signature.header].flat()
    const sent = { without, headers: { [header]: `${begins}not for a log` } }
    expect(await detail(scheme, sent)).toMatch(
      new RegExp(`Its ${header}( "${begins}")? shows that`),
    )
  }
})

test('what is said of a request of a service fits into a line of 160 characters', () => {
  const tooLong = ALL.flatMap(({ value: { name, title, requests = {} } }) => {
    const { post, others = [] } = requests
    return [
      ...(post ? [`method_not_allowed at ${name}: If ${title} sent GET, ${post}`] : []),
      ...others.map(
        ({ is, unsigned }) =>
          `signature_m${unsigned ? 'issing' : 'ismatch'} at ${name}: The request is ${is}. Not quarantined`,
      ),
    ].map((line) => `[webhook-receiver] 401 ${line}.`)
  }).filter(({ length }) => length > 160)
  expect(tooLong).toEqual([])
})

test('the line of a signature that is missing or malformed has what was seen, the cause and the fix', () => {
  const lines = ALL.flatMap((scheme) => {
    const { name, signature, timestamp, requests: { recognised = {} } = {} } = scheme.value
    const { headers } = validRequest(scheme)
    const own = [signature.header].flat()
    const time = timestamp && 'header' in timestamp.at ? [timestamp.at.header].flat() : []
    const each = (names: readonly string[], value: string) =>
      Object.fromEntries(names.map((one) => [one, value]))
    return [
      {},
      ...Object.entries(recognised).map(([header, begins]) => ({ [header]: begins || 'x' })),
      ...OTHERS.filter((header) => !own.includes(header)).map((header) => ({ [header]: 'x' })),
      ...['', 'x', 'x, x'].map((value) => each(own, value)),
      ...(time.length > 0 ? [{ ...headers, ...each(time, '2026-11-23 07:00:00') }] : []),
    ].map((sent: Headers) => {
      const { reason, detail } = rejected(scheme, sent)
      return `[webhook-receiver] 401 ${reason} at ${name}: ${detail}`
    })
  })
  // What follows the fix may be left out.
  const fixes = lines.map((line) =>
    line.replace(/ Or give each service its own URL\.$|(?<=let no proxy add it again\.) .*$/, ''),
  )
  const fits = /^(?=.{0,160}$).* 401 signature_m(?:issing|alformed) /s
  expect(fixes.filter((line) => !fits.test(line))).toEqual([])
})

/** Headers in which others sign: of one service, of a few and of many. */
const OTHERS = ['x-twilio-email-event-webhook-signature', 'svix-signature', 'webhook-signature']

function rejected(
  scheme: DefinedScheme,
  headers: Headers,
): Pick<WebhookError, 'reason' | 'detail'> {
  try {
    const url = 'https://example.com/'
    scheme.readHead({ method: 'POST', header: (name) => headers[name], url })
  } catch (error) {
    if (error instanceof WebhookError) return error
    throw error
  }
  throw new Error(`${scheme.name} accepts ${JSON.stringify(headers)}.`)
}

test('no value looks for another request in the header of its own signature', () => {
  for (const { value } of ALL) {
    for (const { header } of value.requests?.others ?? []) {
      expect([value.name, [value.signature.header].flat()]).not.toContainEqual([header])
    }
  }
})
