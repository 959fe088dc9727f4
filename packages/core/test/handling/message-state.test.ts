import { expect, expectTypeOf, test } from 'vitest'
import { MESSAGE_STATES, type MessageState, movesForward } from '../../src/handling/index.ts'
import { EVENTS } from '../../src/index.ts'

test.each([
  [undefined, 'message.sent', true],
  [null, 'message.read', true],
  ['message.sent', 'message.delivered', true],
  ['message.delivered', 'message.read', true],
  ['message.sent', 'message.failed', true],
  ['message.failed', 'message.delivered', true],
  ['message.delivered', 'message.failed', false],
  ['message.read', 'message.delivered', false],
  ['message.read', 'message.read', false],
  [undefined, 'message.received', false],
  [undefined, 'instance.connected', false],
  ['message.sent', 'message.reacted', false],
  ['message.archived', 'message.read', false],
  ['', 'message.sent', false],
])('from %s, %s moves forward: %s', (kept, event, forward) => {
  expect(movesForward(kept, event)).toBe(forward)
})

test('in whatever order events come, and however often, the state in the end is the same', () => {
  for (const events of subsets(EVENTS)) {
    const ends = permutations(events).map((order) => furthest([...order, ...order]))
    expect(new Set(ends).size).toBeLessThanOrEqual(1)
    const states = MESSAGE_STATES.filter((state) => events.includes(state))
    expect(ends[0]).toBe(states.at(-1))
  }
})

test('narrows the event to a state', () => {
  const event: string = 'message.read'
  if (movesForward(undefined, event)) expectTypeOf(event).toEqualTypeOf<MessageState>()
  expect.assertions(0)
})

function furthest(events: readonly string[]): string | undefined {
  let state: string | undefined
  for (const event of events) if (movesForward(state, event)) state = event
  return state
}

function subsets<Item>(items: readonly Item[]): Item[][] {
  return Array.from({ length: 2 ** items.length }, (_, bits) =>
    items.filter((_, index) => bits & (1 << index)),
  )
}

function permutations<Item>(items: readonly Item[]): Item[][] {
  if (items.length === 0) return [[]]
  return items.flatMap((item, index) =>
    permutations(items.filter((_, other) => other !== index)).map((rest) => [item, ...rest]),
  )
}
