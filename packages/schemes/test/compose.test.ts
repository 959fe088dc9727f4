import { createReceiver, type Scheme } from '@webhook-receiver/core'
import { sourceFor } from '@webhook-receiver/core/internal'
import { signDelivery, signedRequest } from '@webhook-receiver/core/testing'
import { expect, test } from 'vitest'
import {
  type DefinedScheme,
  github,
  gitlab,
  hubspot,
  linear,
  slack,
  stripe,
  twilio,
} from '../src/index.ts'
import { withSamples } from '../src/service-file.ts'
import { requestOf } from './signed.ts'
import { ALL, validRequest } from './vectors.ts'

const ORIGIN = 'https://example.com'

async function received(scheme: DefinedScheme, delivery: string | object) {
  const { secret } = validRequest(scheme)
  const url = `${ORIGIN}/webhooks`
  const publicUrl = scheme.signsUrl ? ORIGIN : undefined
  const given: Scheme = scheme
  const receiver = createReceiver(sourceFor(given, secret), {
    scheme: given,
    publicUrl,
    onRejected: false,
  })
  const signed = await signDelivery(secret, delivery, { scheme, url, id: 'id_1' })
  return (await receiver.receiveRequest(requestOf({ url, ...signed }))).delivery
}

const signable = ALL.filter(({ value }) => value.keys[0].algorithm.startsWith('hmac'))

test.each(signable.map((scheme) => [scheme.name, scheme] as const))(
  'a signed event of %s is received with its id and its event',
  async (_name, scheme) => {
    const { id, event } = { ...(await received(scheme, 'note.created')) } as Record<string, unknown>
    expect(id).toBe(scheme.hasId ? 'id_1' : undefined)
    const { actionOf } = scheme as Scheme
    expect(event).toBe(scheme.hasEvent ? (actionOf ? 'note' : 'note.created') : undefined)
    expect(Object(await received(scheme, 'note.created')).action).toBe(
      actionOf ? 'created' : undefined,
    )
  },
)

test('an event that is given with its action has it in its body, whatever the sample says', async () => {
  for (const name of ['issues.closed', 'issues.opened', 'pull_request.labeled']) {
    const [event, action] = name.split('.')
    expect(await received(withSamples(github) as DefinedScheme, name)).toMatchObject({
      ...{ event, action },
      data: { action, sender: { login: 'ada-example' } },
    })
  }
  expect(await received(withSamples(gitlab) as DefinedScheme, 'merge_request.open')).toMatchObject({
    ...{ event: 'merge_request', action: 'open' },
    data: { object_attributes: { action: 'open', id: expect.any(Number) } },
  })
  const data = { object_kind: 'release', action: 'update' }
  const options = { scheme: gitlab, event: 'release.create' }
  const { body } = await signDelivery(validRequest(gitlab).secret, data, options)
  expect(JSON.parse(Buffer.from(body).toString())).toEqual({ ...data, action: 'create' })
})

test('the sample of a body with several events can be passed as the data', async () => {
  const scheme = withSamples(hubspot)
  const sample = scheme.sample?.('contact created')
  const request = await signedRequest('contact created', sample, { scheme, secret: 'secret' })
  expect(await request.json()).toEqual([
    expect.objectContaining({ subscriptionType: 'contact.creation' }),
  ])
})

test('what `data` has itself stays as it is', async () => {
  const own = { id: 'evt_7', type: 'invoice.paid', data: { object: {} } }
  expect(await received(stripe, own)).toEqual({
    scheme: 'stripe',
    id: 'evt_7',
    event: 'invoice.paid',
    data: own,
  })
  const command = { command: '/weather', trigger_id: '1.2' }
  expect(await received(slack, command)).toMatchObject({ event: '/weather' })
})

test.each<[DefinedScheme, string, string]>([
  [slack, 'command=%2Fdeploy', 'application/x-www-form-urlencoded'],
  [stripe, '{"id":"evt_1"}', 'application/json'],
])('$name: a signed body has its content type: %s', async (scheme, body, type) => {
  const signed = await signDelivery('secret', Buffer.from(body), { scheme })
  expect(signed.headers['content-type']).toBe(type)
})

test('a command of Slack is the form that Slack sends, with its fields beside it', async () => {
  const text = 'now & then'
  const options = { scheme: slack, id: '13.37', event: '/deploy' }
  const { headers, body } = await signDelivery('secret', { text }, options)
  expect(headers['content-type']).toBe('application/x-www-form-urlencoded')
  expect(Object.fromEntries(new URLSearchParams(Buffer.from(body).toString()))).toEqual({
    ...{ trigger_id: '13.37', command: '/deploy', text },
  })
  expect(await received(slack, '/deploy')).toMatchObject({ id: 'id_1', event: '/deploy' })
})

test('a form that wraps JSON comes from its field', async () => {
  const payload = { type: 'block_actions', trigger_id: '1.2' }
  const { headers, body } = await signDelivery('secret', { payload }, { scheme: slack })
  expect(headers['content-type']).toBe('application/x-www-form-urlencoded')
  const form = new URLSearchParams(Buffer.from(body).toString())
  expect(JSON.parse(form.get('payload') ?? '')).toEqual(payload)
  expect(await received(slack, { payload })).toMatchObject({ id: '1.2', event: 'block_actions' })
})

test('a form is signed as a form, and a time in the body is that of the signature', async () => {
  const { secret } = validRequest(twilio)
  const sms = await signDelivery(secret, { Body: 'a&b', From: '+45' }, { scheme: twilio })
  expect(Buffer.from(sms.body).toString()).toBe('Body=a%26b&From=%2B45')
  const now = () => 1_795_000_000_123
  const issue = await signDelivery('secret', 'Issue', { scheme: linear, now })
  expect(JSON.parse(Buffer.from(issue.body).toString())).toEqual({
    type: 'Issue',
    webhookTimestamp: 1_795_000_000_123,
  })
})
