import { DEFAULTS } from '@webhook-receiver/core/adapter'

/** How many objects and arrays may stand inside one another. */
export const MAX_DEPTH = 64

/** What the contract does not define, what we do, and the option of our receivers that changes it. */
export type Choice = readonly [question: string, choice: string, option?: string]

const LIMIT = DEFAULTS.limit.toLocaleString('en')

/** About deliveries. */
export const DELIVERY_CHOICES: readonly Choice[] = [
  [
    'status of a response, and retries',
    '2xx if the delivery was handled, 4xx if a retry does not help, 5xx if it does',
  ],
  [
    'format of X-Webhook-Timestamp',
    'Unix seconds (10 digits), Unix milliseconds (13 digits), RFC 3339 with a zone, or HTTP-date; others get 401',
    '`tolerance: Infinity` accepts any',
  ],
  [
    'accepted age of X-Webhook-Timestamp',
    `${DEFAULTS.tolerance} seconds in the past and in the future`,
    '`tolerance`',
  ],
  ['presence of X-Webhook-Id', 'not required; no check uses it, because it is not signed'],
  ['size of a body', `at most ${LIMIT} bytes; a larger body gets 413`, '`limit`'],
  ['time for a body to arrive', `${DEFAULTS.bodyTimeout} seconds, then 408`, '`bodyTimeout`'],
  ['Content-Type', 'any; only the signature is checked'],
  [
    'Content-Encoding',
    '`identity`, or `utf-8`, `utf8`, `none` or `binary`, which are not encodings; others get 415',
  ],
  ['form of `id`, `created_at` and `data.timestamp`', 'any non-empty string'],
  ['`data.event` that is not the same as `event`', 'status 400'],
  ['events other than the seven', 'accepted, with `known: false`', '`extraEvents`'],
  ['fields that the contract does not define', 'accepted'],
  ['keys named `__proto__`', 'accepted, and removed at any depth'],
  ['nesting of a body', `at most ${MAX_DEPTH} objects and arrays inside each other; more get 400`],
  ['content of `data.data`', 'any object', '`schemas`'],
  [
    'content that does not fit the schemas of the application',
    'status 500, so that the service can retry',
    "`schemaMismatch: 'reject'` is 422",
  ],
]

/** About the registration, by our client. */
export const REGISTRATION_CHOICES: readonly Choice[] = [
  ['status of a successful registration', 'any 2xx'],
  ['status and body of a failed registration', 'any status other than 2xx'],
  ['`events` that is missing or empty', 'our client never sends this'],
  ['other fields of the created webhook', 'accepted'],
]

/** A Markdown table of choices, without the column of options where there are none. */
export function tableOf(choices: readonly Choice[]): string {
  const hasOptions = choices.some(([, , option]) => option !== undefined)
  const head = ['not in the contract', 'our choice', ...(hasOptions ? ['option'] : [])]
  const lines = [
    head,
    head.map(() => '---'),
    ...choices.map((choice) => head.map((_, column) => choice[column] ?? '')),
  ]
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
