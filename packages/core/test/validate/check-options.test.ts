import { describe, expect, test } from 'vitest'
import {
  BOOLEAN,
  checkOptions,
  checkValue,
  hidden,
  listOf,
  type NumberRange,
  numberRule,
  oneOf,
  optional,
  stringRule,
} from '../../src/internal.ts'

const table = {
  port: [numberRule({ whole: true, from: 0, to: 65_535 }), 80],
  secure: [BOOLEAN, false],
  key: [optional(hidden(stringRule('letters', /^[a-z]+$/)))],
} as const

const check = (options: unknown) => checkOptions(options, table, '{ port: 80 }')

describe('checkOptions', () => {
  test.each([
    ['whsec_x', 'The options should be an object, such as { port: 80 }; got a string.'],
    [
      { secur: 1 },
      'There is no option "secur". Did you mean "secure"? The options are: port, secure, key.',
    ],
    [
      { ort: 1 },
      'There is no option "ort". Did you mean "port"? The options are: port, secure, key.',
    ],
    [
      { prot: 1 },
      'There is no option "prot". Did you mean "port"? The options are: port, secure, key.',
    ],
    [{ port: 65_536 }, '`port` should be a whole number from 0 to 65_535; got 65536.'],
    [{ secure: 'yes' }, '`secure` should be true or false; got "yes".'],
  ])('rejects %j', (options, message) => {
    expect(() => check(options)).toThrow(new TypeError(message))
  })

  test('never shows the text of a hidden option', () => {
    expect(() => check({ key: 'SECRET' })).toThrow('`key` should be letters; got a string.')
    expect(() => check({ key: ['SECRET'] })).toThrow('`key` should be letters; got an array.')
    expect(() => check({ key: 5 })).toThrow('`key` should be letters; got 5.')
  })
})

test.each<[NumberRange, string, readonly unknown[], readonly unknown[]]>([
  [{ from: 0 }, 'a number from 0', [0, 0.5, 1e300], [-1, Number.NaN, Infinity, '1', 1n]],
  [{ from: 1, whole: true }, 'a whole number from 1', [1, 2 ** 53 - 1], [0, 1.5, 2 ** 53]],
  [
    { above: 0, to: 3600, unit: 'seconds' },
    'a number of seconds above 0 and up to 3600',
    [0.1, 3600],
    [0, 3600.1],
  ],
  [
    { from: 0.001, to: 1e9, infinity: true },
    'a number from 0.001 to 1_000_000_000, or Infinity',
    [0.001, 1e9, Infinity],
    [0, 1e9 + 1, -Infinity],
  ],
])('the range %j is %s', (range, expected, right, wrong) => {
  const rule = numberRule(range)
  expect(rule.expected).toBe(expected)
  expect(right.filter((value) => !rule.is(value))).toEqual([])
  expect(wrong.filter((value) => rule.is(value))).toEqual([])
})

test('a choice names its values, and a list checks each of its items', () => {
  const choice = oneOf(['a', 'b', 'c'])
  expect(checkValue('letter', 'b', choice)).toBe('b')
  expect(() => checkValue('letter', 'd', choice)).toThrow(
    "`letter` should be 'a', 'b' or 'c'; got \"d\".",
  )
  const list = listOf('an array of letters', choice)
  expect(checkValue('letters', ['a', 'c'], list)).toEqual(['a', 'c'])
  expect(() => checkValue('letters', ['a', 'd'], list)).toThrow('got ["a", "d"].')
  expect(() => checkValue('letters', 'a', list)).toThrow('got "a".')
})
