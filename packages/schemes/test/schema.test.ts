import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import schema from '../../conformance/scheme.schema.json' with { type: 'json' }
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
