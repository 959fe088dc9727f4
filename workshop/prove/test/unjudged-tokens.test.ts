import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { createReceiver, type Scheme, type WebhookError } from '@webhook-receiver/core'
import type { Express } from 'express'
import { describe, expect, test, vi } from 'vitest'
import { fal } from '../../../examples/services/fal.ts'
import { importBlock } from './documents.ts'

// The code to copy for services that nothing has judged, against requests that node:crypto signs as their documentation says.
const GUIDE = 'docs/guides/jwt.md'
const { plaid } = await importBlock<{ plaid: (client: object) => Scheme }>(GUIDE, 'plaid.ts')
const { eventGrid } = await importBlock<{
  eventGrid: (tenant: string, audience: string) => Scheme
}>(GUIDE, 'event-grid.ts')

const NOW = 1_800_000_000
const BODY = '{"id":"e1","type":"a.b","webhook_code":"INITIAL_UPDATE"}'
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
type Pair = { readonly publicKey: KeyObject; readonly privateKey: KeyObject }
const twice = (make: () => Pair): readonly [Pair, Pair] => [make(), make()]
const rsa = twice(() => generateKeyPairSync('rsa', { modulusLength: 2048 }))
const ec = twice(() => generateKeyPairSync('ec', { namedCurve: 'P-256' }))
const ed = twice(() => generateKeyPairSync('ed25519'))
const jwk = ({ publicKey }: Pair, more: object) => ({
  ...publicKey.export({ format: 'jwk' }),
  ...more,
})

function token(claims: object, { privateKey }: Pair, alg: 'RS256' | 'ES256'): string {
  const parts = [{ alg, kid: 'k1', typ: 'JWT' }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  )
  const key = { key: privateKey, dsaEncoding: 'ieee-p1363' } as const
  const signature = sign('sha256', Buffer.from(parts.join('.')), key)
  return `${parts.join('.')}.${signature.toString('base64url')}`
}

/** What a request of a service is made of: each row below changes some of it. */
const SENT = { pair: rsa[0], claims: {}, body: BODY, time: NOW, user: 'user_1' }
type Sent = typeof SENT

interface Service {
  readonly scheme: () => Scheme
  readonly secret: string
  readonly sent: Partial<Sent>
  readonly headers: (sent: Sent) => Readonly<Record<string, string>>
  readonly keys: readonly object[]
  readonly rejected: Readonly<Record<string, Partial<Sent>>>
  readonly delivery: object
}

const [tenant, audience] = ['11111111-2222-3333-4444-555555555555', 'api://webhooks']
const EVENT_GRID = '4962773b-9cdb-44cf-a8bf-237846a00ab7'
const entra = {
  iss: `https://sts.windows.net/${tenant}/`,
  ...{ aud: audience, appid: EVENT_GRID, iat: NOW, nbf: NOW, exp: NOW + 3600 },
}

const SERVICES: Readonly<Record<string, Service>> = {
  plaid: {
    scheme: () => {
      const key = {
        ...jwk(ec[0], { alg: 'ES256', use: 'sig', kid: 'k1' }),
        expired_at: null,
      }
      return plaid({ webhookVerificationKeyGet: async () => ({ data: { key } }) })
    },
    secret: 'client id',
    sent: { pair: ec[0], claims: { iat: NOW - 5, request_body_sha256: sha256(BODY) } },
    headers: ({ claims, pair }) => ({ 'plaid-verification': token(claims, pair, 'ES256') }),
    keys: [],
    rejected: {
      'another key': { pair: ec[1] },
      'another body': { body: `${BODY} ` },
      'older than 5 minutes': { claims: { iat: NOW - 301, request_body_sha256: sha256(BODY) } },
    },
    delivery: { event: 'INITIAL_UPDATE' },
  },
  fal: {
    scheme: () => fal,
    secret: 'user_1',
    sent: { pair: ed[0] },
    headers: ({ pair, time, user }) => {
      const lines = ['request-1', user, `${time}`, sha256(BODY)].join('\n')
      return {
        'x-fal-webhook-request-id': 'request-1',
        'x-fal-webhook-user-id': user,
        'x-fal-webhook-timestamp': `${time}`,
        'x-fal-webhook-signature': sign(null, Buffer.from(lines), pair.privateKey).toString('hex'),
      }
    },
    // fal's own set is reported to write the padding.
    keys: [
      jwk(generateKeyPairSync('ed25519'), {}),
      { ...jwk(ed[0], {}), x: `${jwk(ed[0], {}).x}=` },
    ],
    rejected: {
      'another key': { pair: ed[1] },
      'another body': { body: `${BODY} ` },
      'another user of fal': { user: 'user_2' },
      'older than 5 minutes': { time: NOW - 301 },
    },
    delivery: { id: 'request-1' },
  },
  'event-grid': {
    scheme: () => eventGrid(tenant, audience),
    secret: EVENT_GRID,
    sent: { pair: rsa[0], claims: entra },
    headers: ({ claims, pair }) => ({ authorization: `Bearer ${token(claims, pair, 'RS256')}` }),
    keys: [jwk(rsa[0], { kid: 'k1', use: 'sig' })],
    rejected: {
      'another key': { pair: rsa[1] },
      'another application': { claims: { ...entra, appid: tenant } },
      'another audience': { claims: { ...entra, aud: 'api://other' } },
      'another tenant': { claims: { ...entra, iss: 'https://sts.windows.net/other/' } },
      'an expired token': { claims: { ...entra, exp: NOW - 61 } },
    },
    delivery: { id: 'e1', event: 'a.b' },
  },
}

/** The delivery of a service, or the status of the rejection. */
async function received(
  service: Service,
  change: Partial<Sent> = {},
  fetched = () => Response.json({ keys: service.keys }),
) {
  vi.stubGlobal('fetch', async () => fetched())
  const sent = { ...SENT, ...service.sent, ...change }
  const scheme = service.scheme()
  const options = { scheme, now: () => NOW * 1000, onRejected: false } as const
  const init = { method: 'POST', headers: service.headers(sent), body: sent.body }
  return createReceiver(service.secret, options)
    .receiveRequest(new Request('https://example.com/', init))
    .then(
      ({ delivery }) => delivery,
      ({ status }: WebhookError) => status,
    )
}

describe.each(Object.entries(SERVICES))('%s', (name, service) => {
  test('is received', async () => {
    const delivery = { scheme: name, data: JSON.parse(BODY), ...service.delivery }
    expect(await received(service)).toEqual(delivery)
  })

  test.each(Object.entries(service.rejected))('%s is 401', async (_what, change) => {
    expect(await received(service, change)).toBe(401)
  })
})

test('fal is 503 while its keys cannot be fetched', async () => {
  // Those that another test has fetched are too old by then.
  vi.setSystemTime(Date.now() + 600_000)
  const failing = () => new Response('', { status: 500 })
  expect(await received(SERVICES.fal as Service, {}, failing)).toBe(503)
})

describe('Microsoft Graph', () => {
  async function post(path: string, body?: object): Promise<Response> {
    vi.stubEnv('GRAPH_CLIENT_STATE', 'chosen by us')
    const { app } = await importBlock<{ app: Express }>('docs/guides/other-services.md', 'graph.ts')
    const server = app.listen(0)
    try {
      const { port } = server.address() as AddressInfo
      const headers = { 'content-type': 'application/json' }
      const init = { method: 'POST', headers, body: JSON.stringify(body ?? {}) }
      return await fetch(`http://localhost:${port}${path}`, init)
    } finally {
      server.close()
    }
  }

  test('gets its validation token back as text', async () => {
    const response = await post('/graph?validationToken=Validation%3A%20%3Cb%3E')
    expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
      200,
      'text/plain; charset=utf-8',
      'Validation: <b>',
    ])
  })

  test.each([
    [202, [{ clientState: 'chosen by us' }]],
    [401, [{ clientState: 'chosen by us' }, { clientState: 'of others' }]],
    [401, [null]],
    [401, []],
    [401, 'chosen by us'],
  ])('gets %d for the notifications %j', async (status, value) => {
    expect((await post('/graph', { value })).status).toBe(status)
  })
})
