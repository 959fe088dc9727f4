import { createHmac } from 'node:crypto'
import { afterAll, expect, test, vi } from 'vitest'
import { importCode, read } from './documents.ts'

const [stripe = '', clerk = ''] = [
  ...(await read('packages/schemes/skill/SKILL.md')).matchAll(/^```ts\n(.*?)^```$/gms),
].map(([, code]) => code)

const SECRET = Buffer.from('a secret of twenty-four b')
vi.stubEnv('STRIPE_WEBHOOK_SECRET', 'whsec_stripe')
vi.stubEnv('CLERK_WEBHOOK_SIGNING_SECRET', `whsec_${SECRET.toString('base64')}`)
const log = vi.spyOn(console, 'log').mockImplementation(() => {})
afterAll(() => vi.unstubAllEnvs())

const now = `${Math.floor(Date.now() / 1000)}`

test('the Stripe receiver of the skill handles a delivery once, and rejects a forged request', async () => {
  const { server } = await importCode<{ server: import('node:http').Server }>(
    stripe.replace('app.listen(3000)', 'export const server = app.listen(0)'),
  )
  const address = server.address()
  const url = `http://localhost:${typeof address === 'object' ? address?.port : ''}/webhooks/stripe`
  const body = JSON.stringify({ id: 'evt_skill', type: 'invoice.paid', data: { object: {} } })
  const v1 = createHmac('sha256', 'whsec_stripe').update(`${now}.${body}`).digest('hex')
  const send = (sent: string) =>
    fetch(url, { method: 'POST', headers: { 'stripe-signature': `t=${now},v1=${v1}` }, body: sent })
  const statuses = [await send(body), await send(body), await send(`${body} `)]
  server.close()
  expect(statuses.map(({ status }) => status)).toEqual([204, 204, 401])
  expect(log.mock.calls.filter(([id]) => id === 'evt_skill')).toHaveLength(1)
})

test('the Clerk receiver of the skill handles a delivery, and rejects a forged request', async () => {
  const { POST } = await importCode<{ POST: (request: Request) => Promise<Response> }>(clerk)
  const body = JSON.stringify({ type: 'user.created', object: 'event', data: { id: 'user_1' } })
  const signature = createHmac('sha256', SECRET).update(`msg_skill.${now}.${body}`).digest('base64')
  const headers = {
    'svix-id': 'msg_skill',
    'svix-timestamp': now,
    'svix-signature': `v1,${signature}`,
  }
  const send = (sent: string) =>
    POST(new Request('http://localhost', { method: 'POST', headers, body: sent }))
  const statuses = [await send(body), await send(`${body} `)]
  expect(statuses.map(({ status }) => status)).toEqual([204, 401])
  expect(log.mock.calls.filter(([id]) => id === 'msg_skill')).toHaveLength(1)
})
