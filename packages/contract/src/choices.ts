import { DEFAULTS } from '@webhook-receiver/core'

/** How many objects and arrays may stand inside one another. */
export const MAX_DEPTH = 64

const TOLERANCE = `${DEFAULTS.tolerance} seconds before and after the clock of the receiver; the option \`tolerance\` changes it`
const LIMIT = `${DEFAULTS.limit.toLocaleString('en')} bytes, answered 413 above that; the option \`limit\` changes it`
const TIMEOUT = `${DEFAULTS.bodyTimeout} seconds, answered 408 after that; the option \`bodyTimeout\` changes it`

/** What the contract does not define about deliveries, and what our receivers do. */
export const DELIVERY_CHOICES = [
  ['status of an answer, and retries', '2xx, 4xx and 5xx as below'],
  [
    'form of X-Webhook-Timestamp',
    'Unix seconds, Unix milliseconds, RFC 3339 with a zone, or HTTP-date',
  ],
  ['accepted age of X-Webhook-Timestamp', TOLERANCE],
  ['presence of X-Webhook-Id', 'not required'],
  ['Content-Type', 'any; the signature decides'],
  ['Content-Encoding', '`identity` only; others are answered 415'],
  ['size of a body', LIMIT],
  ['time to receive a body', TIMEOUT],
  ['nesting of a body', `at most ${MAX_DEPTH} objects and arrays inside one another`],
  ['form of `id`, `created_at` and `data.timestamp`', 'any non-empty string'],
  ['`data.event` that is not the same as `event`', 'answered 400'],
  ['events other than the seven', 'accepted'],
  ['members that are not defined', 'accepted; those named `__proto__` are dropped'],
  ['content of `data.data`', 'any object'],
] as const

/** What the contract does not define about the registration, and what our client does. */
export const REGISTRATION_CHOICES = [
  ['status of a successful registration', 'any 2xx'],
  ['status and body of a failed registration', 'anything but 2xx is a failure'],
  ['`events` that is missing or empty', 'never sent'],
  ['other members of the created webhook', 'accepted'],
] as const

/** A Markdown table of choices. */
export function tableOf(choices: readonly (readonly [question: string, choice: string])[]): string {
  const rows = choices.map(([question, choice]) => `| ${question} | ${choice} |`)
  return ['| not in the contract | our choice |', '| --- | --- |', ...rows].join('\n')
}
