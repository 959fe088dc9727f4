import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { MOST_ENTRIES } from '../src/engine/bounds.ts'
import { jsonOf, schemeShape } from '../src/engine/shapes.ts'

interface Json {
  readonly type?: string
  readonly properties?: Readonly<Record<string, Json>>
  readonly items?: Json
  readonly additionalProperties?: Json | false
  readonly anyOf?: readonly Json[]
}

interface Documented {
  readonly text: string
  readonly type: string
}

const SOURCES = ['../src/value.ts', '../../core/src/verify/service-facts.ts']

/** By interface, the properties with their docblocks. */
const INTERFACES = new Map<string, ReadonlyMap<string, Documented>>(
  SOURCES.flatMap((file) => {
    const source = readFileSync(join(import.meta.dirname, file), 'utf8')
    return [...source.matchAll(/interface (\w+)[^{]*\{\n(.*?)\n\}/gs)].map(
      ([, name = '', body = '']) => [name, propertiesIn(body)] as const,
    )
  }),
)

function propertiesIn(body: string): ReadonlyMap<string, Documented> {
  const all = body.matchAll(
    /(?:\/\*\*((?:(?!\*\/).)*)\*\/\s*)?\n? *readonly (\w+)\??:(.*?)(?=\n {2}(?:\/\*\*|readonly)|$)/gs,
  )
  return new Map(
    [...all].map(([, comment = '', name = '', type = '']) => [
      name,
      { text: comment.replaceAll(/\s*\n\s*\* ?|\s+/g, ' ').trim(), type },
    ]),
  )
}

/** The JSON Schema of a value, made from the rules by which `defineScheme` checks it, and described by the docblocks of its type. */
export function publishedSchema(id: string): object {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: id,
    title: 'A scheme',
    description:
      'How a service signs its webhooks: what `defineScheme` of @webhook-receiver/schemes takes. It also checks what a JSON Schema cannot say, such as that several keys are told apart by their prefixes, and that all names and texts together have at most 16384 characters.',
    ...described(jsonOf(schemeShape()) as Json, 'SchemeValue', true),
  }
}

function described(json: Json, type: string | undefined, isWhole = false): object {
  const properties = type === undefined ? undefined : INTERFACES.get(type)
  const { items, additionalProperties, anyOf } = json
  return {
    ...json,
    ...(json.properties && {
      properties: Object.fromEntries(
        Object.entries(json.properties).map(([name, property]) => {
          const { text = '', type: inner = '' } = properties?.get(name) ?? {}
          return [name, { ...documented(text), ...described(property, interfaceIn(inner)) }]
        }),
      ),
    }),
    ...(items && { items: described(items, type), maxItems: MOST_ENTRIES }),
    ...(additionalProperties &&
      !isWhole && {
        additionalProperties: described(additionalProperties, undefined),
        maxProperties: MOST_ENTRIES,
      }),
    ...(anyOf && { anyOf: anyOf.map((one) => described(one, undefined)) }),
  }
}

function interfaceIn(type: string): string | undefined {
  return type.match(/\w+/g)?.find((word) => INTERFACES.has(word))
}

function documented(comment: string): object {
  const [text = '', preset = ''] = comment.split('@default')
  const value = preset.trim()
  const isValue = /^(?:\d+|true|false|'.*')$/.test(value)
  return {
    ...(text !== '' && { description: text.trim() }),
    ...(isValue && { default: JSON.parse(value.replaceAll("'", '"')) }),
  }
}
