import { createHmac } from 'node:crypto'
import { contract } from '@webhook-receiver/core/internal'
import { signDelivery } from '@webhook-receiver/core/testing'
import { discordEvents, github, stripe } from '@webhook-receiver/schemes'
import { keyPairFor } from '@webhook-receiver/schemes/services'
import { expect, it } from 'vitest'
import { testCode } from '../page/copies.ts'
import { recordedRequest, SIGNED_AT } from './services.ts'
import { AGAIN, inspecting, rowsOf, serve } from './setup.ts'

const { secret, request } = recordedRequest('github')

/** A server that keeps what it gets. */
async function keeping() {
  const got: { headers: NodeJS.Dict<string | string[]>; body: string }[] = []
  const url = await serve(async (req, res) => {
    got.push({ headers: req.headers, body: `${Buffer.concat(await req.toArray())}` })
    res.writeHead(204).end()
  })
  return { url, got }
}

const githubMac = (body: string) =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`

/** What the page shows of a request that came. */
async function shown(one: typeof request, ...[to, options]: Parameters<typeof inspecting>) {
  const page = await inspecting(to, options)
  await page.inspector.received(one, page.target)
  return { ...page, view: await page.load(1) }
}

const valid = { attempt: { verdict: { valid: true } } }

it('shows event, id, verdict and coverage of a delivery of another service', async () => {
  const { view } = await shown(request, { secret }, { scheme: github })
  expect(view).toMatchObject({
    event: 'push',
    id: 'msg_2cVbUqcH1H8bGZV0XBmYz1',
    service: 'github',
    attempt: {
      dot: 'good',
      verdict: { valid: true },
      signature: {
        signed: [{ part: 'body', text: request.body.toString() }],
        unsigned: [
          { part: 'id', text: 'msg_2cVbUqcH1H8bGZV0XBmYz1' },
          { part: 'event', text: 'push' },
        ],
        expected: [{ equal: true, signature: githubMac(request.body.toString()) }],
      },
    },
  })
})

const SAMPLE = {
  id: '1',
  event: 'message.read',
  data: { instance_id: 'i', data: { text: 'hello' } },
}

it.each([
  ['github', github, { action: 'opened' }, /scheme: github, \.\.\.\{/, { action: 'opened' }],
  ['the default format', contract, SAMPLE, /\{ \.\.\.\{/, { text: 'hello' }],
])('a test of a delivery of %s has its content', async (_, scheme, body, options, data) => {
  const { send } = await inspecting({ url: (await keeping()).url, secret }, { scheme })
  const view = await send({ target: 'it', body: { text: JSON.stringify(body) } })
  const code = testCode(view)
  expect(code.includes('schemes')).toBe(scheme === github)
  expect(code).toMatch(options)
  expect(code.replaceAll(/\s/g, '')).toContain(`"${view.event}",${JSON.stringify(data)},`)
})

it('says why a signature of another service does not match', async () => {
  const body = Buffer.from(JSON.stringify(JSON.parse(request.body.toString()), null, 2))
  const { view } = await shown({ ...request, body, status: 401 }, { secret }, { scheme: github })
  expect(view.attempt).toMatchObject({
    dot: 'bad',
    verdict: { valid: false, reason: 'signature_mismatch' },
    signature: { expected: [{ equal: false }] },
    findings: [{ code: 'body_reserialized', certainty: 'certain' }],
    difference: {
      at: 1,
      before: '{',
      sent: expect.stringMatching(/^"/),
      here: expect.stringMatching(/^↵/),
    },
  })
})

it('says in each row why a request was rejected', async () => {
  const recorded = recordedRequest('stripe')
  const { inspector, target, read } = await inspecting(recorded, { scheme: stripe })
  const { body } = recorded.request
  const hour = 3_600_000
  const seen = [
    { ...recorded.request, at: SIGNED_AT + hour },
    // In the case in which the service sends it.
    { ...request, headers: [['X-Hub-Signature-256', 'sha256=0'] as const], at: SIGNED_AT },
    {
      ...{ ...request, at: SIGNED_AT, body: Buffer.from('{}') },
      headers: [['X-Webhook-Signature', 'sha256=0'] as const],
    },
    { ...recorded.request, body: Buffer.from(`${body}\n`) },
    { ...recorded.request, body: Buffer.from(JSON.stringify(JSON.parse(`${body}`), null, 3)) },
    { ...recorded.request, body: Buffer.from(`${body}}`) },
  ]
  for (const one of seen) await inspector.received({ ...one, status: 401 }, target)
  const causesOf = (messages: Parameters<typeof rowsOf>[0]) =>
    // Of each row the last, which has its cause.
    [...new Map(rowsOf(messages).map(({ n, cause }) => [n, cause]))]
      .toSorted(([one], [other]) => one - other)
      .map(([, cause]) => cause)
  const messages = await read((all) => causesOf(all).filter(Boolean).length === 5)
  expect(causesOf(messages)).toEqual([
    'signed 1 hour ago',
    'looks like GitHub or Meta, not Stripe',
    'looks like the default format, not Stripe',
    'body final newline',
    'body written again',
    undefined,
  ])
})

it('signs a composed delivery as the service does', async () => {
  const receiver = await keeping()
  const { send } = await inspecting({ url: receiver.url, secret }, { scheme: github })
  const body = { text: '{"zen":"Keep it simple"}' }
  const view = await send({ target: 'it', body, event: 'ping', sign: true })
  expect(view).toMatchObject({ event: 'ping', status: 204, ...valid })
  expect(receiver.got).toMatchObject([
    {
      headers: { 'x-hub-signature-256': githubMac(body.text), 'x-github-event': 'ping' },
      body: body.text,
    },
  ])
})

it('resends with the id and the event that came, a new time and a new signature', async () => {
  const receiver = await keeping()
  const now = SIGNED_AT + 900_000
  const body = '{"id":"evt_1","type":"invoice.paid"}'
  const sign = (time: string) =>
    `t=${time},v1=${createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')}`
  const headers: [string, string][] = [['stripe-signature', sign(`${SIGNED_AT / 1000}`)]]
  const { send } = await shown(
    { ...request, headers, body: Buffer.from(body) },
    { url: receiver.url, secret },
    { scheme: stripe, now: () => now },
  )
  expect(await send(AGAIN)).toMatchObject({ event: 'invoice.paid', id: 'evt_1', ...valid })
  expect(receiver.got[0]?.headers['stripe-signature']).toBe(sign(`${now / 1000}`))
})

it('verifies what only the service can sign, and signs nothing', async () => {
  const recorded = recordedRequest('discord-events')
  const { post, view } = await shown(recorded.request, recorded, { scheme: discordEvents })
  expect(view).toMatchObject({ canSign: false, ...valid })
  expect(view.attempt.signature.expected).toEqual([{ secretName: 'secret', equal: true }])
  const text = expect.stringContaining('There is no secret to sign with for it')
  expect(await post('send', AGAIN)).toMatchObject({ status: 422, text })
})

it('signs with a private key, and verifies with its public key', async () => {
  const { privateKey, publicKey } = keyPairFor(discordEvents)
  const scheme = discordEvents
  const { headers, body } = await signDelivery(privateKey, {}, { scheme })
  const { view, target, post } = await shown(
    { ...request, at: Date.now(), headers: Object.entries(headers), body: Buffer.from(body) },
    { secret: privateKey },
    { scheme },
  )
  expect([target.secrets, target.signing]).toEqual([publicKey, privateKey])
  expect(view).toMatchObject({ canSign: true, ...valid })
  expect(JSON.stringify(view)).not.toContain('PRIVATE KEY')
  expect((await post('send', AGAIN)).status).toBeLessThan(300)
})
