import { createDeliveryHandler, type HandlingOptions, memoryStore } from '@webhook-receiver/core'
import { bodyScheme as scheme } from '@webhook-receiver/suites'
import { beforeEach, describe, expect, type MockInstance, test, vi } from 'vitest'
import { delivered } from './stores.ts'

let warn: MockInstance<typeof console.warn>

beforeEach(() => {
  warn = vi.spyOn(console, 'warn').mockReturnValue()
  // Of the whole process, so that the tests before have left theirs.
  const said: Set<string> | undefined = Reflect.get(
    globalThis,
    Symbol.for('@webhook-receiver/core.ignored'),
  )
  said?.clear()
})
const PAGE = ' https://webhook-receiver.github.io/webhook-receiver/guides/handlers'

const lines = () =>
  warn.mock.calls.map(([line]) => {
    expect(line).toMatch(/^\[webhook-receiver\] /)
    expect(String(line).endsWith(PAGE)).toBe(true)
    return String(line).slice('[webhook-receiver] '.length, -PAGE.length)
  })

/** A handler of a service whose names of events are not signed, for these names. */
function handling(names: readonly string[], options: Partial<HandlingOptions> = {}) {
  const handlers = Object.fromEntries(names.map((name) => [name, vi.fn()]))
  const handle = createDeliveryHandler(handlers, { ...(options as object), scheme })
  return (event: string, action?: string) =>
    handle({ scheme: 'body', id: 'one', event, ...(action && { action }), data: {} })
}

test('a delivery without a handler is said once for each name, with the handler that is most like it', async () => {
  const handle = handling(['pushed', 'issues.opened'])
  for (const event of ['push', 'push', 'release', 'release']) {
    expect(await handle(event)).toBe('ignored')
  }
  expect(lines()).toEqual([
    "No handler for 'push' at body; did you mean 'pushed'? Add `any` to handle everything.",
    "No handler for 'release' at body. Add `any` to handle everything.",
  ])
})

test('of the default format, the line names no endpoint', async () => {
  await createDeliveryHandler({ 'message.received': vi.fn() })(delivered('message.sent'))
  await createDeliveryHandler({ unknown: vi.fn() })(delivered('message.read'))
  expect(lines()).toEqual([
    "No handler for 'message.sent'. Add `any` to handle everything.",
    "No handler for 'message.read'. Add `any` to handle everything.",
  ])
})

test('of an event with actions, one line is enough, but for an action that is misspelt', async () => {
  const handle = handling(['issues.opend', 'issues.transferred'])
  for (const action of ['labeled', 'closed', 'edited', 'opened', 'opened']) {
    expect(await handle('issues', action)).toBe('ignored')
  }
  expect(await handle('issues', 'transferred')).toBe('completed')
  expect(lines()).toEqual([
    "No handler for 'issues.labeled' at body. Add `any` to handle everything.",
    "No handler for 'issues.opened' at body; did you mean 'issues.opend'? Add `any` to handle everything.",
  ])
})

test.each([
  ['message.received', 'message.recieved'],
  ['Issue', 'issue'],
  ['orders/create', 'orders.create'],
])('%s is found in %s', async (event, known) => {
  await handling(['push', known, 'pull'])(event)
  expect(lines()).toEqual([
    `No handler for '${event}' at body; did you mean '${known}'? Add \`any\` to handle everything.`,
  ])
})

test('a delivery without the name of an event is said', async () => {
  await handling(['push'])('')
  expect(lines()).toEqual([
    'No handler for a delivery that names no event at body. Add `any` to handle everything.',
  ])
})

test('each endpoint is said, and a process has at most 32 lines', async () => {
  const [first, second] = ['one', 'two'].map((endpoint) => handling(['push'], { endpoint }))
  for (let times = 0; times < 100; times++) {
    await first?.(`made up ${times % 50}`)
    await second?.(`made up ${times % 50}`)
  }
  const found = lines()
  expect(found).toHaveLength(32)
  expect(new Set(found).size).toBe(32)
  expect(found.filter((line) => line.includes(' at two.'))).toHaveLength(16)
})

describe('a name that anybody may have sent', () => {
  test.each([
    ['a line break', '\n[webhook-receiver] 401', "'\\n[webhook-receiver] 401'"],
    ['a quotation mark', "a'. Add `evil`", "'a’. Add `evil`'"],
    ['half of a character', '\ud800', "'\\ud800'"],
    ['more than a line', 'x'.repeat(10_000), `'${'x'.repeat(36)}…'`],
  ])('with %s is in one line, and cannot be taken for a part of it', async (_, event, expected) => {
    await handling(['push'])(event)
    expect(lines()).toEqual([
      `No handler for ${expected} at body. Add \`any\` to handle everything.`,
    ])
  })

  test('makes no line longer than 160 characters without its link', async () => {
    const long = 'pull_request_review_comment_that_is_long'
    const endpoint = 'e'.repeat(64)
    await handling([`${long}!`], { endpoint })(long)
    await handling(['push'], { endpoint })(long.toUpperCase())
    expect(lines()).toEqual([
      `No handler for '${long.slice(0, 36)}…'; did you mean '${long.slice(0, 36)}…'? Add \`any\` to handle everything.`,
      `No handler for '${long.toUpperCase().slice(0, 36)}…'. Add \`any\` to handle everything.`,
    ])
    for (const [line] of warn.mock.calls) {
      expect(String(line).length - PAGE.length).toBeLessThanOrEqual(160)
    }
  })
})

describe('onIgnored', () => {
  test('takes the place of the line for each delivery, and gets its step', async () => {
    const onIgnored = vi.fn()
    const onHandling = vi.fn()
    const options = { onIgnored, onHandling, store: memoryStore(), duplicates: 'id', now: () => 7 }
    const handle = handling(['push'], options as object)
    await handle('issues', 'opened')
    await handle('issues', 'opened')
    const step = { step: 'ignored', at: 7, event: 'issues', action: 'opened', key: undefined }
    expect(onIgnored.mock.calls).toMatchObject([[step], [step]])
    expect(onHandling.mock.calls).toEqual(onIgnored.mock.calls)
    expect(warn).not.toHaveBeenCalled()
  })

  test('is silent where it is false, and `onHandling` still gets the step', async () => {
    const onHandling = vi.fn()
    await handling(['push'], { onIgnored: false, onHandling })('issues')
    expect(warn).not.toHaveBeenCalled()
    expect(onHandling.mock.calls).toMatchObject([[{ step: 'ignored', event: 'issues' }]])
  })

  test('is a TypeError unless it is a function, or false', () => {
    const onIgnored = true as unknown as false
    expect(() => handling(['push'], { onIgnored })).toThrow(
      '`onIgnored` should be a function, or false; got true.',
    )
  })
})
