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

/** What the lines say between `No handler for` and what to do, each of which has at most 160 characters without its link. */
const lines = () =>
  warn.mock.calls.map(([line]) => {
    const [, what] = /^\[webhook-receiver\] No handler for (.*)[.?] Add .*\. /.exec(line) ?? []
    expect(String(line).endsWith(`Add \`any\` to handle everything.${PAGE}`)).toBe(true)
    expect(String(line).length - PAGE.length).toBeLessThanOrEqual(160)
    return what
  })

/** A handler of a service whose names of events are not signed, for these names. */
function handling(names: readonly string[], options: Partial<HandlingOptions> = {}) {
  const handlers = Object.fromEntries(names.map((name) => [name, vi.fn()]))
  const handle = createDeliveryHandler(handlers, { ...(options as object), scheme })
  return (event: string, action?: string) =>
    handle({ scheme: 'body', id: 'one', event, ...(action && { action }), data: {} })
}

const LONG = 'pull_request_review_comment_that_is_long'

test.each<
  [
    what: string,
    handlers: string[],
    events: [event: string, action?: string][],
    string[],
    HandlingOptions?,
  ]
>([
  [
    'once for each name, with the handler that is most like it',
    ['pushed', 'issues.opened'],
    [['push'], ['push'], ['release'], ['release']],
    ["'push' at body; did you mean 'pushed'", "'release' at body"],
  ],
  [
    'of an event with actions once, but for an action that is misspelt',
    ['issues.opend', 'issues.transferred'],
    ['labeled', 'closed', 'edited', 'opened', 'opened'].map((action) => ['issues', action]),
    ["'issues.labeled' at body", "'issues.opened' at body; did you mean 'issues.opend'"],
  ],
  ...[
    ['message.received', 'message.recieved'],
    ['Issue', 'issue'],
    ['orders/create', 'orders.create'],
  ].map(([event = '', known = '']): [string, string[], [string][], string[]] => [
    `with a known name: ${known}`,
    ['push', known, 'pull'],
    [[event]],
    [`'${event}' at body; did you mean '${known}'`],
  ]),
  ['without a name', ['push'], [['']], ['a delivery that names no event at body']],
  [
    'in one line, which no name can be taken for a part of',
    ['push'],
    [['\n[webhook-receiver] 401'], ["a'. Add `evil`"], ['\ud800'], ['x'.repeat(10_000)]],
    [
      ...["'\\n[webhook-receiver] 401' at body", "'a’. Add `evil`' at body"],
      ...["'\\ud800' at body", `'${'x'.repeat(36)}…' at body`],
    ],
  ],
  [
    'without its endpoint where the line would be too long',
    [`${LONG}!`],
    [[LONG], ['z'.repeat(40)]],
    [`'${LONG.slice(0, 36)}…'; did you mean '${LONG.slice(0, 36)}…'`, `'${'z'.repeat(36)}…'`],
    { endpoint: 'e'.repeat(64) },
  ],
])('a delivery without a handler is said %s', async (_, handlers, events, expected, options) => {
  const handle = handling(handlers, options)
  for (const [event, action] of events) expect(await handle(event, action)).toBe('ignored')
  expect(lines()).toEqual(expected)
})

test('of the default format, the line names no endpoint', async () => {
  await createDeliveryHandler({ 'message.received': vi.fn() })(delivered('message.sent'))
  await createDeliveryHandler({ unknown: vi.fn() })(delivered('message.read'))
  expect(lines()).toEqual(["'message.sent'", "'message.read'"])
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
  expect(found.filter((line) => line?.endsWith(' at two'))).toHaveLength(16)
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
