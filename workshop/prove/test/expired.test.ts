import * as schemes from '@webhook-receiver/schemes'
import { expect, test } from 'vitest'
import { DAYS, expired } from '../judges/expired.mjs'

const acme = { name: 'acme', checked: '2026-11-26' }

test('a value counts for 180 days, and not for one more', () => {
  expect(DAYS).toBe(180)
  expect(expired([acme], '2027-05-25')).toEqual([])
  expect(expired([acme], '2027-05-26')).toEqual([acme])
})

test('each value says when it was compared', () => {
  const values = Object.values(schemes).flatMap((scheme) =>
    typeof scheme === 'object' ? [scheme.value] : [],
  )
  expect(expired(values, '2027-05-01')).toEqual([])
  expect(expired(values, '2099-01-01')).toHaveLength(values.length)
})
