import { seeded } from '@webhook-receiver/checks/seeded.mjs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import schema from '../../conformance/scheme.schema.json' with { type: 'json' }
import { defineScheme, type SchemeValue } from '../src/index.ts'
import { changed } from './changed.ts'
import { publishedSchema } from './published-schema.ts'
import { ALL } from './vectors.ts'

const validate = new Ajv2020({ allErrors: true, allowUnionTypes: true }).compile(schema)

test('the published values are those of the package; `npx vitest run packages/schemes/test/schema --update` writes them', async () => {
  const values = Object.fromEntries(ALL.map(({ value }) => [value.name, value]))
  await expect(`${JSON.stringify(values, null, 2)}\n`).toMatchFileSnapshot(
    '../../conformance/schemes.json',
  )
})

test('the published JSON Schema is that of the rules; the same command writes it', async () => {
  const text = JSON.stringify(publishedSchema(schema.$id), null, 2)
  await expect(`${text}\n`).toMatchFileSnapshot('../../conformance/scheme.schema.json')
})

test.each(ALL.map(({ value }) => value))('the JSON Schema takes $name', (value) => {
  expect(validate(value), JSON.stringify(validate.errors)).toBe(true)
})

test('what `defineScheme` takes, the JSON Schema takes', () => {
  const random = seeded(11)
  const seen = { taken: 0, rejected: 0 }
  for (let times = 0; times < 2000; times++) {
    const { value } = ALL[times % ALL.length] as (typeof ALL)[number]
    const given = JSON.parse(JSON.stringify(changed(value, random)))
    try {
      defineScheme(given as SchemeValue)
    } catch {
      if (!validate(given)) seen.rejected++
      continue
    }
    seen.taken++
    expect(validate(given), JSON.stringify([given, validate.errors])).toBe(true)
  }
  expect(seen.taken).toBeGreaterThan(300)
  // A schema that takes everything would pass the check above.
  expect(seen.rejected).toBeGreaterThan(300)
})
