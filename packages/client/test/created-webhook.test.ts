import { format, inspect } from 'node:util'
import { expect, it } from 'vitest'
import { CreatedWebhook } from '../src/created-webhook.ts'

const created = new CreatedWebhook('whsec_hidden', { id: 'wh_1' })

it.each([
  ['util.inspect, as console.log calls it', inspect],
  [
    'util.inspect of hidden members',
    (value: unknown) => inspect(value, { showHidden: true, getters: true, depth: null }),
  ],
  [
    'util.inspect without custom inspection',
    (value: unknown) => inspect(value, { customInspect: false }),
  ],
  ['util.format', (value: unknown) => format('%o %O %j %s', value, value, value, value)],
  ['Object.entries', (value: unknown) => JSON.stringify(Object.entries(Object(value)))],
  ['structuredClone', (value: unknown) => inspect(structuredClone(value))],
  ['own names', (value: unknown) => inspect(Reflect.ownKeys(Object(value)))],
])('is not shown by %s', (_name, show) => {
  expect(show(created)).not.toContain('whsec_hidden')
})

it('shows the rest, and where the secret is', () => {
  expect(inspect(created)).toContain("id: 'wh_1'")
  expect(inspect(created)).toContain('read .secret')
})
