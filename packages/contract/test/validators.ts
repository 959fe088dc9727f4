import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

const ajv = new Ajv2020({ strict: true })
addFormats.default(ajv)

/** A file of this package. */
export function document(name: string) {
  return JSON.parse(readFileSync(join(import.meta.dirname, '..', name), 'utf8'))
}

/** Checks a value against a schema of this package. */
export function validator(name: string): ValidateFunction {
  return ajv.compile(document(`schemas/${name}.json`))
}

/** Checks a value against a schema in another document. */
export function validatorOf(schema: object): ValidateFunction {
  return ajv.compile(schema)
}
