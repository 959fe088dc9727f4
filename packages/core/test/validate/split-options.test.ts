import { expect, test } from 'vitest'
import { splitOptions } from '../../src/validate/check-options.ts'
import { BOOLEAN, optional } from '../../src/validate/rule.ts'

const RULES = { forwardErrors: optional(BOOLEAN) }

interface Own {
  readonly forwardErrors?: boolean | undefined
}

test('separates the options that have a rule from the others', () => {
  const given = { forwardErrors: true, limit: 5 }
  expect(splitOptions<Own, typeof given>(given, RULES)).toEqual([
    { forwardErrors: true },
    { limit: 5 },
  ])
  expect(splitOptions<Own, Own>({}, RULES)).toEqual([{ forwardErrors: undefined }, {}])
})

test('is a TypeError for a value that does not fit its rule', () => {
  const split = () => Reflect.apply(splitOptions, undefined, [{ forwardErrors: 'yes' }, RULES])
  expect(split).toThrow(new TypeError('`forwardErrors` should be true or false; got "yes".'))
})

test('is a TypeError for an option that is missing and has to be there', () => {
  const split = () => Reflect.apply(splitOptions, undefined, [undefined, { on: BOOLEAN }])
  expect(split).toThrow(new TypeError('`on` should be true or false; got undefined.'))
})

test.each([null, 'whsec_1'])(
  'leaves %j, which is no object, to the check of the others',
  (options) => {
    expect(Reflect.apply(splitOptions, undefined, [options, RULES])).toEqual([
      { forwardErrors: undefined },
      options,
    ])
  },
)
