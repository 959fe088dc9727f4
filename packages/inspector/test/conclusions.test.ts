import { signDelivery } from '@webhook-receiver/core/testing'
import { expect, it } from 'vitest'
import { conclude } from '../page/conclusion.ts'
import { kindOf, resultText, wrongIn } from '../page/format.ts'
import { arrived, BODY, inspecting, responding, SECRET, SIGNED, startReceiver } from './setup.ts'

type View = Awaited<ReturnType<Awaited<ReturnType<typeof inspecting>>['load']>>

const FORWARDS = { forwardsTo: 'http://localhost:3000/stripe' }
const UNCHECKED = { secret: undefined }

interface Received extends Readonly<Record<string, unknown>> {
  readonly signs?: string | Buffer
  readonly age?: number
}

/** A request that came, signed unless something else is said. */
async function received(
  { signs = BODY, age = 0, without = '', ...more }: Received,
  options: object = {},
  to: object = {},
): Promise<View> {
  const { inspector, target, load } = await inspecting(to, options)
  const now = () => Date.now() - age
  const signed = await signDelivery(SECRET, Buffer.from(signs), { now })
  const headers = Object.entries(signed.headers).filter(([name]) => name !== without)
  await inspector.received(arrived(signed.body, { status: 400, headers, ...more }), target)
  return load(1)
}

/** A delivery of the page to a server that responds with this status to everything. */
async function sent(status: number, command: object = {}, to: object = {}): Promise<View> {
  const { send } = await inspecting({ url: await responding(() => status), ...to })
  return send({ ...SIGNED, ...command })
}

async function tampered(tamper: string): Promise<View> {
  const { send } = await inspecting({ url: (await startReceiver()).url })
  return send({ ...SIGNED, sign: false, tamper })
}

const SITUATIONS: Readonly<Record<string, () => Promise<View>>> = {
  'came: a body that is not JSON': () => received({ signs: 'x' }),
  'came: bytes that are not UTF-8': () => received({ signs: Buffer.of(255) }),
  'came: a signature of yesterday': () => received({ age: 86_400_000 }),
  'came: a GET': () => received({ method: 'GET' }),
  'came: a body that is not a delivery': () => received({ signs: '{}' }),
  'came: another body than was signed': () => received({ body: Buffer.from('{}') }),
  'came: no timestamp': () => received({ without: 'X-Webhook-Timestamp' }),
  'came: no signature': () => received({ without: 'X-Webhook-Signature' }),

  'forwarded: valid, accepted': () => received({ status: 204, duration: 31 }, FORWARDS),
  'forwarded: unsigned, rejected': () => received({ status: 401, headers: [] }, FORWARDS),
  'forwarded: unsigned, accepted': () => received({ status: 204, headers: [] }, FORWARDS),
  'forwarded: unsigned, failed': () => received({ status: 500, headers: [] }, FORWARDS),
  'forwarded, not checked: 503': () => received({ status: 503 }, FORWARDS, UNCHECKED),
  'forwarded, not checked: 300': () => received({ status: 300 }, FORWARDS, UNCHECKED),
  'forwarded, not checked: nothing is there': () =>
    received(
      { status: undefined, response: { error: 'connect ECONNREFUSED' } },
      ...([FORWARDS, UNCHECKED] as const),
    ),

  'sent: accepted': () => sent(200),
  'sent: 401': () => sent(401),
  'sent: 401, where it is known how the server starts': () =>
    sent(401, {}, { start: 'export WEBHOOK_SECRET=…' }),
  'sent: 404': () => sent(404),
  'sent: 300': () => sent(300),
  'sent: 399': () => sent(399),
  'sent: 500': () => sent(500),
  'sent: nothing is there': () => sent(0, {}, { url: 'http://127.0.0.1:9/' }),
  'sent, tampered, and accepted': () => sent(204, { tamper: 'body' }),
  ...Object.fromEntries(
    ['body', 'signature', 'timestamp', 'secret', 'stale', 'future', 'unsigned'].map((what) => [
      `sent, tampered: ${what}`,
      () => tampered(what),
    ]),
  ),
}

/** What the page says of a delivery: its dot and the reason, its row, and the conclusion. */
function saidOf(view: View) {
  const { dot, verdict } = view.attempt
  const { sentence, why, fix, next } = conclude(view)
  const facts = [dot, kindOf(view), view.outcome, verdict?.reason].filter(Boolean).join(', ')
  return [facts, resultText(view, 0), sentence, why, fix, next]
    .flatMap((line) => (line ? [`  ${line}\n`] : []))
    .join('')
    .replaceAll(/ in [\d.]+ ms/g, ' in N ms')
}

it('says of each delivery in one sentence what happened, why, and what to do', async () => {
  let said = ''
  for (const [what, make] of Object.entries(SITUATIONS))
    said += `${what}\n${saidOf(await make())}\n`
  await expect(said).toMatchFileSnapshot('conclusions.txt')
})

it('shows first the attempt that was wrongly accepted, also where the row has only the last ones', async () => {
  const row = await sent(204)
  expect(wrongIn(row)).toBeUndefined()
  expect(wrongIn({ ...row, attempts: 2, dots: ['wrong', 'good'] })).toBe(1)
  expect(wrongIn({ ...row, attempts: 40, dots: ['right', 'wrong', 'good'] })).toBe(39)
})
