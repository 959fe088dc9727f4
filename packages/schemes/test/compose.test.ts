import type { Scheme } from '@webhook-receiver/core'
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
import { receive } from './signed.ts'
import { ALL, validRequest } from './vectors.ts'

async function received(scheme: DefinedScheme, delivery: string | object) {
  const { secret } = validRequest(scheme)
  const url = 'https://example.com/webhooks'
  const signed = await signDelivery(secret, delivery, { scheme, url, id: 'id_1' })
  const options = { now: Date.now, ...(scheme.signsUrl && { publicUrl: 'https://example.com' }) }
  const { delivery: found } = await receive(scheme, { secret, url, ...signed }, options)
  return found as { readonly id?: string; readonly event?: string; readonly action?: string }
}

const signable = ALL.filter(({ value }) => value.keys[0].algorithm.startsWith('hmac'))

test.each(signable)(
  'a signed event of $name is received with its id and its event',
  async (scheme) => {
    const { id, event, action } = await received(scheme, 'note.created')
    expect(id).toBe(scheme.hasId ? 'id_1' : undefined)
    const { actionOf } = scheme as Scheme
    expect(event).toBe(scheme.hasEvent ? (actionOf ? 'note' : 'note.created') : undefined)
    expect(action).toBe(actionOf ? 'created' : undefined)
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
  const { id, type: event } = own
  expect(await received(stripe, own)).toEqual({ scheme: 'stripe', id, event, data: own })
  const command = { command: '/weather', trigger_id: '1.2' }
  expect(await received(slack, command)).toMatchObject({ event: '/weather' })
  expect(await received(slack, { payload })).toMatchObject({ id: '1.2', event: 'block_actions' })
})

const [FORM, JSON_TYPE] = ['application/x-www-form-urlencoded', 'application/json']
const payload = { type: 'block_actions', trigger_id: '1.2' }
const time = 1_795_000_000_123

test.each<[DefinedScheme, data: unknown, type: string, sent: object, options?: object]>([
  [slack, Buffer.from('command=%2Fdeploy'), FORM, { command: '/deploy' }],
  [stripe, Buffer.from('{"id":"evt_1"}'), JSON_TYPE, { id: 'evt_1' }],
  // A command of Slack is the form that Slack sends, with its fields beside it.
  [
    ...([slack, { text: 'now & then' }, FORM] as const),
    { trigger_id: '13.37', command: '/deploy', text: 'now & then' },
    { id: '13.37', event: '/deploy' },
  ],
  // A form that wraps JSON comes from its field.
  [slack, { payload }, FORM, { payload: JSON.stringify(payload) }],
  [twilio, { Body: 'a&b', From: '+45' }, FORM, { Body: 'a&b', From: '+45' }],
  // A time in the body is that of the signature.
  [
    ...([linear, 'Issue', JSON_TYPE] as const),
    { type: 'Issue', webhookTimestamp: time },
    { now: () => time },
  ],
])('$0.name sends %j as %s', async (scheme, data, type, sent, options) => {
  const { secret } = validRequest(scheme)
  const { headers, body } = await signDelivery(secret, data as object, { scheme, ...options })
  expect(headers['content-type']).toBe(type)
  const text = Buffer.from(body).toString()
  expect(type === FORM ? Object.fromEntries(new URLSearchParams(text)) : JSON.parse(text)).toEqual(
    sent,
  )
})
