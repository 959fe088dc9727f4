import { expect, test } from 'vitest'
import { parseJson } from '../../src/parse/json.ts'
import { expectRejection } from '../deliveries.ts'

// Syntax, nesting, encodings and `__proto__` are in ../vectors.test.ts.
const utf8 = (text: string) => new TextEncoder().encode(text)

test('counts the nesting of what the application gets: of two properties of one name, the last', async () => {
  const [deep, flat] = [`"a":${'['.repeat(64)}${']'.repeat(64)}`, '"a":1']
  expect(parseJson(utf8(`{${deep},${flat}}`))).toEqual({ a: 1 })
  const last = utf8(`{${flat},${deep}}`)
  const { detail } = await expectRejection(() => parseJson(last), 400, 'body_too_deep')
  expect(detail).toContain('more than 64')
})

test('counts nothing that the application has added to every object', () => {
  const added: { cycle?: unknown } = {}
  added.cycle = added
  Object.assign(Object.prototype, { added })
  try {
    expect(Object.keys(Object(parseJson(utf8('{"a":[{}]}'))))).toEqual(['a'])
  } finally {
    Reflect.deleteProperty(Object.prototype, 'added')
  }
})

test.each([
  ['', 'empty'],
  ['\uFEFF{}', 'JSON after a byte order mark'],
  ['{"a":1', 'not JSON'],
])('tells how long %j is and what it is, and nothing of it', async (text, fault) => {
  const error = await expectRejection(() => parseJson(utf8(text)), 400, 'body_not_json')
  expect(error.detail).toContain(`the body is ${fault}`)
  expect(error.cause).toBeUndefined()
})

test('a form shows as one, with the way out', async () => {
  const form = utf8('payload=%7B%7D')
  const { detail } = await expectRejection(() => parseJson(form), 400, 'body_not_json')
  expect(detail).toMatch(/is a form: choose JSON for the webhook/)
})
