import { loadVectors } from '@webhook-receiver/conformance'
import { bodyBytes } from '@webhook-receiver/conformance/internal'
import { createReceiver, type SchemeKind, WebhookError } from '@webhook-receiver/core'
import type { NoSchemas } from '@webhook-receiver/core/adapter'
import { contract } from '@webhook-receiver/core/internal'
import { defineScheme, type SchemeValue } from '@webhook-receiver/schemes'
import { expect, test } from 'vitest'
import { document, validator } from './validators.ts'

const value: SchemeValue = document('scheme.json')
const scheme = defineScheme(value)
const isDelivery = validator('delivery')
const [vectors] = loadVectors('')
const { cases = [], clock = 0, secret = '' } = vectors ?? {}

/** The requests that one call of a receiver can get: the others are about bytes on a connection. */
const requests = cases.filter(
  ({ raw_base64, steps, send, framing, content_length }) =>
    !raw_base64 && !steps && !send && framing !== 'none' && content_length === undefined,
)

type Case = (typeof requests)[number]

/** The status of a rejection, or what was accepted. */
async function outcomeOf(one: Case, by: typeof contract | typeof scheme): Promise<unknown> {
  const receiver = createReceiver<undefined, NoSchemas, never, SchemeKind>(secret, {
    scheme: by,
    now: () => clock * 1000,
    onRejected: false,
  })
  const linesOf = (name: string) =>
    one.headers.flatMap(([other, text]) => (other.toLowerCase() === name ? [text] : []))
  try {
    const { delivery } = await receiver.receive({
      method: one.method,
      header: (name) => linesOf(name).join(', '),
      readBody: () => Uint8Array.from(bodyBytes(one.body)),
      context: undefined,
    })
    return delivery
  } catch (error) {
    if (error instanceof WebhookError) return error.status
    throw error
  }
}

test('the facts of the scheme are those of core', () => {
  const { headers, tolerance, hasId, hasEvent } = contract
  expect(headers).toEqual(expect.arrayContaining([...scheme.headers]))
  expect([tolerance, hasId, hasEvent]).toEqual([scheme.tolerance, scheme.hasId, scheme.hasEvent])
  expect(contract.value).toEqual(value)
})

test.each(['message.read', 'a name of an event'])(
  'a delivery of %s is signed as core signs it',
  async (event) => {
    const parts = { id: 'del_1', time: clock * 1000, event, url: '' }
    const body = new TextEncoder().encode(JSON.stringify({ id: '1', event }))
    const signed = async (by: typeof contract | typeof scheme) => {
      const key = await by.importKey('whsec_example', 'The secret')
      const headers = await by.sign?.(key as never, body, parts)
      return new Headers({ ...headers }).get('x-webhook-signature')
    }
    expect(await signed(scheme)).toBe(await signed(contract))
  },
)

test('there are vectors to compare, of each kind', () => {
  const kinds = new Set(requests.map(({ expect: [first] }) => first))
  expect(requests.length).toBeGreaterThan(500)
  expect([...kinds]).toEqual(expect.arrayContaining(['accepted', '400', '401', '405', '415']))
})

test.each(requests)('the engine has the outcome of core: $id', async (one) => {
  const byCore = await outcomeOf(one, contract)
  const byEngine = await outcomeOf(one, scheme)
  // Other forms of a timestamp cannot be said in a scheme.
  const isSeconds = /^\d{10}$/.test(one.timestamp ?? '')
  if (!isSeconds && typeof byCore === 'object') return expect(byEngine).toBe(401)
  if (typeof byEngine === 'number') return expect(byEngine).toBe(byCore)
  // What a body has to hold is in the schemas.
  const { data } = byEngine as { readonly data: unknown }
  expect(isDelivery(data) ? 'object' : 400).toBe(typeof byCore === 'object' ? 'object' : byCore)
})
