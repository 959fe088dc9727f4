import type { Cause } from './finding.ts'

/** What a MAC is computed over: a prefix whose characters are bytes, and bytes. */
export interface Message {
  readonly prefix: string
  readonly body: Uint8Array
}

/** What a message is made of. */
interface Parts {
  readonly timestamp: string | undefined
  /** Each line of X-Webhook-Id. */
  readonly ids: readonly string[]
  readonly body: Uint8Array
}

/** A way to build the signed message that differs from the contract. */
export interface MessageForm extends Cause {
  /** Whether it is tried together with another cause; only common ones are. */
  readonly pairs?: true
  variants(parts: Parts): readonly Message[]
}

const SIGN_ALL = 'Make the sender sign the value of X-Webhook-Timestamp, a dot and the raw body.'

export const MESSAGE_FORMS: readonly MessageForm[] = [
  {
    code: 'message_body_alone',
    what: 'matches the body alone, without the timestamp before it',
    fix: SIGN_ALL,
    pairs: true,
    variants: ({ body }) => [{ prefix: '', body }],
  },
  {
    code: 'message_with_id',
    what: 'matches the timestamp and the body with the id before or between them',
    fix: `${SIGN_ALL.slice(0, -1)}, and leave the id out.`,
    pairs: true,
    variants: ({ timestamp, ids, body }) =>
      ids.flatMap((id) => prefixesWith(id, timestamp).map((prefix) => ({ prefix, body }))),
  },
  {
    code: 'message_without_dot',
    what: 'matches the timestamp and the body with something other than one dot between them',
    fix: `${SIGN_ALL.slice(0, -1)}, with exactly one dot between.`,
    variants: ({ timestamp, body }) =>
      timestamp === undefined
        ? []
        : ['', '\n', ':', ',', '|', ' ', '-', '_', ';', '..', '\r\n', '. '].map((separator) => ({
            prefix: timestamp + separator,
            body,
          })),
  },
  {
    code: 'message_without_body',
    what: 'matches the timestamp without the bytes of the body',
    fix: 'Make the sender sign the text of the body that it sends, not an empty text or an object.',
    variants: ({ timestamp, body }) =>
      timestamp === undefined || body.length === 0
        ? []
        : ['.', '', '.[object Object]', '.undefined', '.null', '.{}'].map((end) => ({
            prefix: timestamp + end,
            body: new Uint8Array(0),
          })),
  },
]

function prefixesWith(id: string, timestamp: string | undefined): readonly string[] {
  const alone = [`${id}.`, id]
  if (timestamp === undefined) return alone
  return [
    `${id}.${timestamp}.`,
    `${timestamp}.${id}.`,
    `${id}${timestamp}`,
    `${id}:${timestamp}:`,
    `${timestamp}${id}`,
    ...alone,
  ]
}
