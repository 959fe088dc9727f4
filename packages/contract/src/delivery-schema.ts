import { EVENTS, type WebhookEvent } from '@webhook-receiver/core'

const NON_EMPTY = { type: 'string', minLength: 1 } as const

/**
 * The body of a delivery; `event` is the schema of the name of the event. test/types.test-d.ts compares it with the types of
 * core, and test/core.test.ts with what a receiver accepts.
 */
function bodySchema<const Event extends object>(event: Event) {
  return {
    type: 'object',
    required: ['id', 'event', 'created_at', 'data'],
    properties: {
      id: {
        ...NON_EMPTY,
        description:
          'Signed id of the delivery; use it to detect duplicates. The service sends a UUID. Our receivers accept any non-empty string.',
        examples: ['6f2c1c1e-7d0b-4c55-9f2a-0f6c3a5e8b11'],
      },
      event: { ...event, description: 'Name of the event.' },
      created_at: {
        ...NON_EMPTY,
        description:
          'When the service created the delivery. The service sends ISO 8601 in UTC with milliseconds. Our receivers accept any non-empty string.',
        examples: ['2026-03-10T12:00:00.000Z'],
      },
      data: {
        type: 'object',
        required: ['instance_id', 'event', 'data', 'timestamp'],
        properties: {
          instance_id: {
            ...NON_EMPTY,
            description: 'Id of the instance that the event is about.',
            examples: ['inst_01'],
          },
          event: { ...event, description: 'The same value as the outer `event`.' },
          data: {
            type: 'object',
            description: 'Content of the event. The contract does not say what is in it.',
          },
          timestamp: {
            ...NON_EMPTY,
            description:
              'When the event happened. The service sends ISO 8601 in UTC with milliseconds. Our receivers accept any non-empty string.',
            examples: ['2026-03-10T11:59:59.250Z'],
          },
        },
      },
    },
  } as const
}

function knownEvent<const Event extends WebhookEvent>(event: Event) {
  return bodySchema({ type: 'string', const: event })
}

/** The body of a delivery of any event. */
export const ENVELOPE = {
  title: 'Envelope',
  description:
    'The body of a delivery of any event. JSON Schema cannot compare two properties, so this schema does not check that `data.event` equals `event`. delivery.json checks it for the seven events.',
  ...bodySchema(NON_EMPTY),
} as const

/** The body of a delivery, by event. */
export const KNOWN_EVENTS = Object.fromEntries(
  EVENTS.map((event) => [
    event,
    {
      title: titleOf(event),
      description: `The body of a delivery of \`${event}\`.`,
      ...knownEvent(event),
    },
  ]),
  // Object.fromEntries forgets which name goes with which schema.
) as { readonly [Event in WebhookEvent]: Titled & ReturnType<typeof knownEvent<Event>> }

/** The body of a delivery of an event that is none of the seven. */
export const UNKNOWN_EVENT = {
  title: 'UnknownEvent',
  description:
    'The body of a delivery of an event that is none of the seven. A service can add events, so our receivers accept it. They reject it if `data.event` is not the same as `event`, which JSON Schema cannot check.',
  ...bodySchema({ ...NON_EMPTY, not: { enum: EVENTS } }),
} as const

/** Each schema of a body by its title. */
export const BODIES: Readonly<Record<string, Titled>> = Object.fromEntries(
  [...Object.values(KNOWN_EVENTS), UNKNOWN_EVENT].map((schema) => [schema.title, schema]),
)

/** The body of any delivery: one of the seven events, or an unknown one. `folder` is where the schemas are. */
export function deliverySchema(folder: string): object {
  return {
    title: 'Delivery',
    description:
      'The body of a delivery: one of the seven events, or an event that is newer than this document.',
    anyOf: Object.keys(BODIES).map((title) => ({ $ref: `${folder}/${title}` })),
  }
}

interface Titled {
  readonly title: string
  readonly description: string
}

/** `MessageReceived` for `message.received`. */
function titleOf(event: string): string {
  return event.replace(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase())
}
