import { ASYNCAPI } from './asyncapi.ts'
import { BODIES, deliverySchema, ENVELOPE, KNOWN_EVENTS, UNKNOWN_EVENT } from './delivery-schema.ts'
import { OPENAPI } from './openapi.ts'

/** Every file of the package that is generated, and what is in it. */
export const DOCUMENTS: Readonly<Record<string, object>> = {
  'openapi.json': OPENAPI,
  'asyncapi.json': ASYNCAPI,
  ...schemaFile('delivery', { ...deliverySchema('#/$defs'), $defs: BODIES }),
  ...schemaFile('envelope', ENVELOPE),
  ...Object.assign(
    {},
    ...Object.entries(KNOWN_EVENTS).map(([event, schema]) => schemaFile(event, schema)),
  ),
  ...schemaFile('unknown-event', UNKNOWN_EVENT),
}

/** A schema as a file of its own, without references to other files, so that every tool can read it alone. */
function schemaFile(name: string, schema: object): Readonly<Record<string, object>> {
  return {
    [`schemas/${name}.json`]: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      ...schema,
    },
  }
}
