import { expect, test } from 'vitest'
import { type AdapterSetup, describeAdapter } from '../src/index.ts'
import { satisfies } from '../src/wire/outcome.ts'
import { startReference } from './reference.ts'

describeAdapter('reference receiver with a store', (setup) => startReference(once(setup)), {
  store: true,
})

/** Runs the handler once for each id; an id whose handler threw is free again. */
function once(setup: AdapterSetup): AdapterSetup {
  const claimed = new Set<unknown>()
  return {
    ...setup,
    onDelivery: async (delivery) => {
      const id = typeof delivery === 'object' && delivery && 'id' in delivery && delivery.id
      if (claimed.has(id)) return
      claimed.add(id)
      try {
        await setup.onDelivery(delivery)
      } catch (error) {
        claimed.delete(id)
        throw error
      }
    },
  }
}

test.each([
  ['401', ['5xx']],
  ['cut', ['closed']],
  ['timeout', ['closed', 'accepted', '5xx']],
])('%s is not one of %j', (outcome, expected) => {
  expect(satisfies(outcome, expected)).toBe(false)
})
