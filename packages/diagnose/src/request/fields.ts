import type { JsonText } from '../text/json-text.ts'
import type { Pace } from '../text/pace.ts'

/** The longest field that is tried as an id or a timestamp, in characters. */
const MAX_FIELD = 200

/** The fields of a body that a sender may have signed in place of a header. */
export interface Fields {
  readonly id?: string
  readonly created_at?: string
  /** `data.timestamp`. */
  readonly timestamp?: string
}

/** Reads the fields from the tokens of a body. */
export async function fieldsOf(json: JsonText | undefined, pace: Pace): Promise<Fields> {
  const fields: Writable = {}
  const { tokens } = json ?? { tokens: [] }
  let depth = 0
  let member = ''
  for (const [at, token] of tokens.entries()) {
    if (at % 4096 === 0) await pace(4096 * 50)
    if (token === '{' || token === '[') depth++
    else if (token === '}' || token === ']') depth--
    else if (token !== ':' || depth > 2) continue
    else {
      const name = tokens[at - 1] ?? ''
      const value = tokens[at + 1] ?? ''
      if (depth === 1) member = name
      if (depth === 1 && name === '"id"') assign(fields, 'id', value)
      if (depth === 1 && name === '"created_at"') assign(fields, 'created_at', value)
      if (depth === 2 && member === '"data"' && name === '"timestamp"')
        assign(fields, 'timestamp', value)
    }
  }
  return fields
}

type Writable = { -readonly [Name in keyof Fields]: Fields[Name] }

function assign(fields: Writable, name: keyof Fields, token: string): void {
  delete fields[name]
  if (!token.startsWith('"') || token.length > 6 * MAX_FIELD + 2) return
  try {
    const text: unknown = JSON.parse(token)
    if (typeof text === 'string' && text !== '' && text.length <= MAX_FIELD) fields[name] = text
  } catch {
    // This is not JSON: there is no field.
  }
}
