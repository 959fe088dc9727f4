import { signDelivery } from '@webhook-receiver/core/testing'
import * as schemes from '@webhook-receiver/schemes'
import { beforeEach, expect, type MockInstance, test, vi } from 'vitest'
import { files, importCode, read } from './documents.ts'

const text = await read('packages/schemes/skill/SKILL.md')
const [stripe = '', clerk = ''] = [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(
  ([, code]) => code,
)

const SECRET = `whsec_${Buffer.from('a secret of twenty-four b').toString('base64')}`
let log: MockInstance<typeof console.log>
beforeEach(() => {
  vi.stubEnv('STRIPE_WEBHOOK_SECRET', SECRET)
  vi.stubEnv('CLERK_WEBHOOK_SIGNING_SECRET', SECRET)
  log = vi.spyOn(console, 'log').mockReturnValue()
})

test('the Stripe receiver of the skill handles a delivery once, and rejects a forged request', async () => {
  const { server } = await importCode<{ server: import('node:http').Server }>(
    stripe.replace('app.listen(3000)', 'export const server = app.listen(0)'),
  )
  const address = server.address()
  const url = `http://localhost:${typeof address === 'object' ? address?.port : ''}/webhooks/stripe`
  const event = { id: 'evt_skill', type: 'invoice.paid', data: { object: {} } }
  const { headers, body } = await signDelivery(SECRET, event, { scheme: schemes.stripe })
  const send = (sent: BodyInit) => fetch(url, { method: 'POST', headers, body: sent })
  const statuses = [await send(body), await send(body), await send(`${Buffer.from(body)} `)]
  server.close()
  expect(statuses.map(({ status }) => status)).toEqual([204, 204, 401])
  expect(log.mock.calls.filter(([id]) => id === 'evt_skill')).toHaveLength(1)
})

test('the Clerk receiver of the skill handles a delivery, and rejects a forged request', async () => {
  const { POST } = await importCode<{ POST: (request: Request) => Promise<Response> }>(clerk)
  const event = { type: 'user.created', object: 'event', data: { id: 'user_1' } }
  const options = { scheme: schemes.clerk, id: 'msg_skill' } as const
  const { headers, body } = await signDelivery(SECRET, event, options)
  const send = (sent: BodyInit) =>
    POST(new Request('http://localhost', { method: 'POST', headers, body: sent }))
  const statuses = [await send(body), await send(`${Buffer.from(body)} `)]
  expect(statuses.map(({ status }) => status)).toEqual([204, 401])
  expect(log.mock.calls.filter(([id]) => id === 'msg_skill')).toHaveLength(1)
})

const [, listed = ''] = text.split('## Services')

test('the skill lists the file of each service', () => {
  const names = files.flatMap((name) => /skill\/services\/(.*)\.md$/.exec(name)?.[1] ?? [])
  expect(names.length).toBeGreaterThan(50)
  expect([...listed.matchAll(/`([\w-]+)`(?=,|\n)/g)].map(([, name]) => name)).toEqual(
    expect.arrayContaining(names),
  )
})
