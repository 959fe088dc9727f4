import { reply, webhookHandler } from '@webhook-receiver/core'
import { signedRequest } from '@webhook-receiver/core/testing'
import { describe, expect, test, vi } from 'vitest'
import { defineScheme, supabase } from '../src/index.ts'
import { ALL } from './vectors.ts'

const secretOf = (text: string) => `v1,whsec_${Buffer.from(text).toString('base64')}`
const [FIRST, SECOND, OTHER] = ['0123456789abcdef', 'fedcba9876543210', 'another secret!!'].map(
  secretOf,
)
const SECRET = `${FIRST}`

/** Posts a delivery of Supabase to a handler. */
async function post(work: () => unknown, options: object = {}, secret = SECRET, signer = SECRET) {
  const onError = vi.fn()
  const given = { scheme: supabase, onError, onRejected: false, ...options } as const
  const handler = webhookHandler(secret, work, given)
  const response = await handler(
    await signedRequest('test', {}, { secret: signer, scheme: supabase }),
  )
  return { response, status: response.status, errors: onError.mock.calls.map(([error]) => error) }
}

describe.each(['development', 'production'])('in %s', (env) => {
  test.each<readonly [given: object, message: RegExp]>([
    [
      { status: 400, body: { error: 'no' } },
      /reply is 400 with application\/json, but Supabase accepts only 200 with application\/json, .* 204 with no body.*http_code, message/,
    ],
    [
      { body: JSON.stringify({ a: 1 }) },
      /200 with text\/plain.*Pass the value itself instead of JSON.stringify/,
    ],
    [{}, /reply is 200 with no body/],
    [{ body: '<a/>', headers: { 'Content-Type': 'text/xml' } }, /200 with text\/xml/],
  ])(
    'a reply of %j that the service does not accept is 500, and says why',
    async (given, message) => {
      vi.stubEnv('NODE_ENV', env)
      const { status, errors } = await post(() => reply(given))
      expect(status).toBe(500)
      expect(errors).toEqual([expect.any(TypeError)])
      expect(String(errors[0])).toMatch(message)
    },
  )

  test.each<readonly [given: object, status: number]>([
    [{ body: { error: { http_code: 400, message: 'no' } } }, 200],
    [{ status: 204 }, 204],
    [{ body: '{}', headers: { 'content-type': 'Application/JSON; charset=utf-8' } }, 200],
    [{ status: 503, headers: { 'retry-after': '1' }, body: 'later' }, 503],
  ])('a reply of %j is sent', async (given, status) => {
    vi.stubEnv('NODE_ENV', env)
    expect(await post(() => reply(given))).toMatchObject({ status, errors: [] })
  })
})

test('where a service accepts two replies, both are named', async () => {
  const statuses = { 200: ['application/json'], 204: [] }
  const scheme = defineScheme({ ...supabase.value, replies: { statuses } })
  const { errors } = await post(() => reply({ status: 400 }), { scheme })
  expect(`${errors}`).toContain('only 200 with application/json and 204 with no body.')
})

test('nothing that is returned is the success of the service, and has no Content-Type, which it would parse', async () => {
  const { status, response, errors } = await post(() => undefined)
  expect([status, response.headers.get('content-type'), errors]).toEqual([204, null, []])
})

test('the success of each service is a reply that it accepts', () => {
  for (const { value, replies, success = { status: 204 } } of ALL) {
    if (replies) expect(replies.statuses[success.status], value.name).toEqual([])
  }
})

test('a decision that takes longer than the service waits is 503, and asks for no retry', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  let finish: (value: unknown) => void = () => {}
  const started = vi.fn(() => new Promise((resolve) => (finish = resolve)))
  const onRejected = vi.fn()
  const posting = post(started, { onRejected })
  await vi.waitFor(() => expect(started).toHaveBeenCalled())
  await vi.advanceTimersByTimeAsync(4000)
  const { status, response } = await posting
  expect([status, response.headers.get('retry-after')]).toEqual([503, null])
  expect(onRejected.mock.calls).toMatchObject([
    [{ reason: 'handler_timeout', detail: expect.stringContaining('still runs after 4 s') }],
  ])
  finish(reply({ body: {} }))
})

test('several secrets in one text, as Supabase keeps them, are each accepted', async () => {
  const joined = `${FIRST}|${SECOND}|`
  for (const signer of [FIRST, SECOND]) {
    expect((await post(() => {}, {}, joined, `${signer}`)).status).toBe(204)
  }
  expect((await post(() => {}, {}, joined, `${OTHER}`)).status).toBe(401)
  // The first of them signs.
  expect((await post(() => {}, {}, `${FIRST}`, joined)).status).toBe(204)
  expect(() => webhookHandler(`${FIRST}|nonsense!`, () => {}, { scheme: supabase })).toThrow(
    TypeError,
  )
})

test('one text holds at most ten secrets, because each request is compared with all of them', async () => {
  const joined = (count: number) => Array(count).fill(FIRST).join('|')
  expect((await post(() => {}, {}, joined(10), `${FIRST}`)).status).toBe(204)
  expect(() => webhookHandler(joined(20_000), () => {}, { scheme: supabase })).toThrow(
    'holds 20000 secrets, which are all tried for each delivery: at most 10 are taken.',
  )
})
