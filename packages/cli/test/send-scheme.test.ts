import { createHmac, generateKeyPairSync } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Scheme } from '@webhook-receiver/core'
import { webhookHandler } from '@webhook-receiver/node'
import { github, linear, slack, standardWebhooks, stripe, twilio } from '@webhook-receiver/schemes'
import { expect, it } from 'vitest'
import { invoke } from './invoke.ts'
import { serving } from './receiver.ts'

const SECRET = 'a secret of this test'
const KEY = Buffer.from('a key of this test')
const NOW = Date.parse('2026-11-23T00:00:00Z')
const SECONDS = `${NOW / 1000}`

const hmac = (key: string | Buffer, content: string, encoding: 'hex' | 'base64', hash = 'sha256') =>
  createHmac(hash, key).update(content).digest(encoding)

/** A server that takes all, and what it was sent. */
async function collecting(status = 204) {
  const requests: { url: string; headers: IncomingHttpHeaders; body: string }[] = []
  const origin = await serving(async (req, res) => {
    const chunks = await req.toArray()
    requests.push({ url: `${req.url}`, headers: req.headers, body: `${Buffer.concat(chunks)}` })
    res.writeHead(status).end()
  })
  return { origin, requests }
}

function only<Item>(items: readonly Item[]): Item {
  const [item] = items
  if (item === undefined || items.length > 1) throw new Error(`There are ${items.length}, not 1.`)
  return item
}

const send = (event: string, url: string, options: readonly string[], secret = SECRET) =>
  invoke(['send', event, url, ...options], { env: { WEBHOOK_SECRET: secret }, now: () => NOW })

it('signs as Stripe documents it, with id and event in the body', async () => {
  const { origin, requests } = await collecting()
  const options = ['--scheme', 'stripe', '--data', '{"data":{"object":{"id":"in_1"}}}']
  const { code, out } = await send('invoice.paid', `${origin}/stripe`, options)
  expect(code).toBe(0)
  expect(out).toContain('✓ accepted with 204')
  const { headers, body } = only(requests)
  expect(JSON.parse(body)).toEqual({
    id: expect.stringMatching(/^[\da-f-]{36}$/),
    type: 'invoice.paid',
    data: { object: { id: 'in_1' } },
  })
  const v1 = hmac(SECRET, `${SECONDS}.${body}`, 'hex')
  expect(headers['stripe-signature']).toBe(`t=${SECONDS},v1=${v1}`)
})

it('signs as GitHub documents it, with id and event in the headers', async () => {
  const { origin, requests } = await collecting()
  await send('push', origin, ['--scheme', 'github', '--data', '{"ref":"refs/heads/main"}'])
  expect(requests).toMatchObject([
    {
      body: '{"ref":"refs/heads/main"}',
      headers: {
        'x-github-event': 'push',
        'x-github-delivery': expect.stringMatching(/^[\da-f-]{36}$/),
        'x-hub-signature-256': `sha256=${hmac(SECRET, '{"ref":"refs/heads/main"}', 'hex')}`,
      },
    },
  ])
})

it('signs as Standard Webhooks has it', async () => {
  const { origin, requests } = await collecting()
  const secret = `whsec_${KEY.toString('base64')}`
  await send('user.created', origin, ['--scheme', 'standardWebhooks'], secret)
  const { headers, body } = only(requests)
  const signed = `${headers['webhook-id']}.${SECONDS}.${body}`
  expect(headers['webhook-signature']).toBe(`v1,${hmac(KEY, signed, 'base64')}`)
  expect(JSON.parse(body)).toEqual({ type: 'user.created' })
})

it('sends a form to the URL that Twilio signs', async () => {
  const { origin, requests } = await collecting()
  const options = ['--scheme', 'twilio', '--public-url', 'https://example.com']
  await send('delivered', `${origin}/sms?tenant=7`, [...options, '--data', '{"Body":"a b&c"}'])
  expect(requests).toMatchObject([
    {
      url: '/sms?tenant=7',
      body: 'MessageStatus=delivered&Body=a+b%26c',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'x-twilio-signature': hmac(
          SECRET,
          'https://example.com/sms?tenant=7Bodya b&cMessageStatusdelivered',
          'base64',
          'sha1',
        ),
      },
    },
  ])
})

it('signs the time that Linear has in the body', async () => {
  const { origin, requests } = await collecting()
  await send('Issue', origin, ['--scheme', 'linear'])
  const { headers, body } = only(requests)
  expect(JSON.parse(body)).toMatchObject({ webhookTimestamp: NOW })
  expect(headers['linear-signature']).toBe(hmac(SECRET, body, 'hex'))
})

const RECEIVERS: readonly (readonly [Scheme, string, readonly string[]])[] = [
  [stripe, SECRET, ['body', 'secret', 'stale', 'future', 'unsigned']],
  [github, SECRET, ['body', 'secret', 'unsigned']],
  [slack, SECRET, ['body', 'secret', 'stale', 'future', 'unsigned']],
  [linear, SECRET, ['body', 'secret', 'stale', 'future', 'unsigned']],
  [twilio, SECRET, ['body', 'secret', 'unsigned']],
  [standardWebhooks, `whsec_${KEY.toString('base64')}`, ['body', 'secret', 'stale', 'unsigned']],
]

it.each(RECEIVERS.map(([scheme, ...rest]) => [scheme.name, scheme, ...rest] as const))(
  'a receiver of %s takes it, and nothing that was tampered with',
  async (name, scheme, secret, tamperings) => {
    const events: unknown[] = []
    const publicUrl = scheme.signsUrl ? 'https://example.com' : undefined
    const options = { scheme, publicUrl, now: () => NOW, onRejected: false } as const
    const url = `${await serving(webhookHandler(secret, (delivery) => void events.push(delivery), options))}/webhooks`
    const chosen = ['--scheme', name, ...(publicUrl ? ['--public-url', publicUrl] : [])]
    const valid = await send('test', url, [...chosen, '--data', '{"text":"2026Z"}'], secret)
    expect(valid.err).toBe('')
    expect([valid.code, events]).toEqual([0, [expect.objectContaining({ event: 'test' })]])
    for (const tamper of tamperings) {
      const { code, out } = await send('test', url, [...chosen, '--tamper', tamper], secret)
      expect([tamper, code, out]).toEqual([
        tamper,
        0,
        expect.stringContaining('✓ rejected with 401, as expected'),
      ])
    }
    expect(events).toHaveLength(1)
  },
)

it('expects the status that the service takes for success', async () => {
  const { origin } = await collecting(204)
  const { code, out } = await send('message', origin, ['--scheme', 'slack'])
  expect(code).toBe(1)
  expect(out).toMatch(/✗ accepted with 204, expected 200/)
  expect(out).toContain('The service takes only 200 for success.')
})

it.each([
  [['--scheme', 'discord-events'], /Only discord-events can sign .* private key that it keeps/],
  [['--scheme', 'sendgrid'], /Only sendgrid can sign/],
  [['--scheme', 'aws-sns'], /Only aws-sns can sign/],
  [['--scheme', 'github', '--tamper', 'stale'], /proves nothing: github has no replay window/],
  [['--scheme', 'github', '--tamper', 'signature'], /use one of: body, secret, stale, future, uns/],
  [['--scheme', 'github', '--instance', 'inst_2'], /--instance is for the contract/],
  [['--scheme', 'twilio'], /--public-url is missing/],
  [['--scheme', 'standard-webhooks'], /begins with whsec_ or whpk_/],
])('exits with 2 for %j', async (options, message) => {
  const { code, err } = await send('push', 'http://127.0.0.1:1/', options)
  expect(err).toMatch(message)
  expect(code).toBe(2)
})

it('does not sign with a public key', async () => {
  const options = ['--scheme', 'standard-webhooks']
  const { publicKey } = generateKeyPairSync('ed25519')
  const key = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('base64')
  const { code, err } = await send('push', 'http://127.0.0.1:1/', options, `whpk_${key}`)
  expect(err).toMatch(/Only standard-webhooks itself can sign/)
  expect(code).toBe(2)
})
