import { PassThrough } from 'node:stream'
import { stripe } from '@webhook-receiver/schemes'
import { expect, it } from 'vitest'
import type { ReceivedRequest } from '../src/listen/received-request.ts'
import { createSelection } from '../src/listen/selection.ts'

const plain = (_: string, text: string) => text

function requestOf(second: number, body = '{"a":1}'): ReceivedRequest {
  const capture = {
    ...{ receivedAt: second * 1000, method: 'POST', target: `/stripe?n=${second}` },
    ...{ httpVersion: '1.1', headers: [['X-Order', `${second}`]] as const },
    body: Buffer.from(body),
  }
  return { receivedAt: second * 1000, status: 204, duration: 3, capture }
}

function selecting() {
  const output = Object.assign(new PassThrough(), { columns: 100 })
  const resent: number[] = []
  const selection = createSelection(output, plain, stripe, ({ receivedAt }) =>
    resent.push(receivedAt / 1000),
  )
  for (let at = 1; at <= 3; at++) selection.add(requestOf(at))
  const press = (...keys: readonly string[]) => {
    for (const key of keys) selection.press(key)
    return String(output.read() ?? '')
  }
  return { selection, press, resent }
}

const UP = 'up'
const DOWN = 'down'

it('chooses one of the last requests, and forgets it at the end of the list', () => {
  const { press } = selecting()
  expect(press(UP)).toMatch(/▸ 00:00:03 POST \/stripe\?n=3 .* r resend · Enter details · Esc$/)
  expect(press(UP, UP, UP)).toMatch(/▸ 00:00:01[^\n]*$/)
  expect(press(DOWN)).toMatch(/▸ 00:00:02[^\n]*$/)
  expect(press(DOWN, DOWN)).toSatisfy((text: string) => text.endsWith('\u001b[2K'))
})

it('keeps the last 50 requests', () => {
  const { selection, press } = selecting()
  for (let at = 4; at <= 52; at++) selection.add(requestOf(at))
  expect(press(...Array<string>(60).fill(UP))).toMatch(/▸ 00:00:03[^\n]*$/)
})

it('resends the chosen request, or else the last one, and shows the bytes of it', () => {
  const { press, resent } = selecting()
  press('r')
  press(UP, UP, 'r')
  expect(resent).toEqual([3, 2])
  const shown = press('\r')
  expect(shown).toContain('POST /stripe?n=2\nX-Order: 2\n\n{\n  "a": 1\n}\n')
  expect(shown).toMatch(/▸ 00:00:02[^\n]*$/)
})

it('shows the numbers that were sent, and no more of a nested body than of another one', () => {
  const { selection, press } = selecting()
  const nested = '['.repeat(4000) + ']'.repeat(4000)
  selection.add(requestOf(4, `{"a":9007199254740993,"b":${nested}}`))
  const shown = press('\r')
  expect(shown).toContain('\n  "a": 9007199254740993,\n')
  expect(shown.length).toBeLessThan(100 * nested.length)
})
