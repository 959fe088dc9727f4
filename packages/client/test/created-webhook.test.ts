import { format, inspect } from 'node:util'
import { expect, it } from 'vitest'
import { CreatedWebhook } from '../src/created-webhook.ts'

const created = new CreatedWebhook('whsec_hidden', { id: 'wh_1' })

it('is not shown by what prints, serialises or spreads it', () => {
  const shown = [
    inspect(created, { showHidden: true, getters: true, depth: null }),
    inspect(created, { customInspect: false }),
    format('%o %O %j %s', created, created, created, created),
    inspect({ ...created }),
    inspect(structuredClone(created)),
    inspect(Reflect.ownKeys(created)),
  ]
  expect(shown.join('\n')).not.toContain('whsec_hidden')
})

it('shows the rest, and where the secret is', () => {
  expect(inspect(created)).toContain("id: 'wh_1'")
  expect(inspect(created)).toContain('read .secret')
})
