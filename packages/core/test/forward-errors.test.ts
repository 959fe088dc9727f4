import { expect, test } from 'vitest'
import { splitForwardErrors } from '../src/forward-errors.ts'

test('separates the option, which is false by default, from the others', () => {
  expect(splitForwardErrors({ forwardErrors: true, limit: 5 })).toEqual([true, { limit: 5 }])
  expect(splitForwardErrors({})).toEqual([false, {}])
})

test('is a TypeError for anything but a boolean', () => {
  const split = () => Reflect.apply(splitForwardErrors, undefined, [{ forwardErrors: 'yes' }])
  expect(split).toThrow(new TypeError('`forwardErrors` should be true or false; got "yes".'))
})

test.each([null, 'whsec_1'])(
  'leaves %j, which is no object, to the check of the others',
  (options) => {
    expect(Reflect.apply(splitForwardErrors, undefined, [options])).toEqual([false, options])
  },
)
