import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { DOCUMENTS } from '../src/documents.ts'

const ajv = new Ajv2020({ strict: true })
addFormats.default(ajv)

/** Checks a value against a schema of this package. */
export function validator(name: string): ValidateFunction {
  const schema = DOCUMENTS[`schemas/${name}.json`]
  if (schema === undefined) throw new TypeError(`there is no schema ${name}`)
  return ajv.compile(schema)
}

/** Checks a value against a schema in a file of its own. */
export function validatorOf(schema: object): ValidateFunction {
  return ajv.compile(schema)
}
