import { joined, utf8 } from './encodings.ts'
import type { Cause } from './finding.ts'

/** What a MAC is computed over: a prefix whose characters are bytes, and bytes. */
export interface Message {
  readonly prefix: string
  readonly body: Uint8Array
}

/** What a message is put together from. */
interface Parts {
  readonly timestamp: string | undefined
  /** X-Webhook-Id, and the `id` in the body where that is another. */
  readonly ids: readonly string[]
  readonly body: Uint8Array
}

/** A way to put together what is signed that is not the contract's. */
export interface MessageForm extends Cause {
  /** Whether it is common enough to be tried together with another cause. */
  readonly pairs?: true
  variants(parts: Parts): readonly Message[]
}

const ALL = 'Let the sender sign the value of X-Webhook-Timestamp, a dot and the raw body.'

export const MESSAGE_FORMS: readonly MessageForm[] = [
  {
    code: 'message_body_alone',
    what: 'fits the body alone, without the timestamp in front',
    fix: ALL,
    pairs: true,
    variants: ({ body }) => [{ prefix: '', body }],
  },
  {
    code: 'message_with_id',
    what: 'fits the timestamp and the body with the id in front or between',
    fix: `${ALL.slice(0, -1)}, and leave the id out.`,
    pairs: true,
    variants: ({ timestamp, ids, body }) =>
      ids.flatMap((id) => prefixesWith(id, timestamp).map((prefix) => ({ prefix, body }))),
  },
  {
    code: 'message_without_dot',
    what: 'fits the timestamp and the body with no dot, or something else, between them',
    fix: `${ALL.slice(0, -1)}, with exactly one dot between.`,
    variants: ({ timestamp, body }) =>
      timestamp === undefined
        ? []
        : ['', '\n', ':', ',', '|', ' ', '-', '_', ';', '..', '\r\n', '. '].map((separator) => ({
            prefix: timestamp + separator,
            body,
          })),
  },
  {
    code: 'message_reversed',
    what: 'fits the body with the timestamp behind it',
    fix: ALL,
    variants: ({ timestamp, body }) =>
      timestamp === undefined
        ? []
        : ['.', '', ':', '\n'].map((separator) => ({
            prefix: '',
            body: joined(body, utf8(separator + timestamp)),
          })),
  },
  {
    code: 'message_versioned',
    what: 'fits the timestamp and the body with the version of a scheme in front',
    fix: `${ALL.slice(0, -1)}, and leave the version out.`,
    variants: ({ timestamp, body }) =>
      timestamp === undefined
        ? []
        : ['v0:', 'v1:', 'v0.', 'v1.'].map((version) => ({
            prefix: version + timestamp + version.slice(-1),
            body,
          })),
  },
  {
    code: 'message_without_body',
    what: 'fits the timestamp without the bytes of the body',
    fix: 'Let the sender sign the text of the body that it sends, not an empty one or an object.',
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
