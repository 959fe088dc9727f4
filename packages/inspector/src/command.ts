import {
  BOOLEAN,
  checkOptions,
  numberRule,
  type OptionTable,
  oneOf,
  optional,
  rule,
  stringRule,
} from '@webhook-receiver/core/internal'
import { TAMPERINGS, type Tampering } from '@webhook-receiver/emulator/internal'
import type { CaptureBody } from '@webhook-receiver/quarantine/internal'
import { REPLIES, type Reply } from './reply.ts'

/** A request of the page that is wrong, or cannot be served now. */
export class CommandError extends Error {
  readonly status: number

  constructor(message: string, status = 422) {
    super(message)
    this.status = status
  }
}

/** What the page asks to be sent. */
export interface SendCommand {
  /** The id of the target; that of `from` if there is none. */
  readonly target: string | undefined
  /** The request to start with. */
  readonly from: { readonly n: number; readonly attempt: number } | undefined
  readonly body: CaptureBody | undefined
  /** Its name, where the service has it in a header. */
  readonly event: string | undefined
  readonly sign: boolean
  readonly tamper: Tampering | undefined
  /** How many at once. */
  readonly copies: number
}

const SEND = {
  target: [optional(stringRule('the id of a receiver', /./s))],
  from: [optional(rule<SendCommand['from']>('a delivery and its attempt', isSource))],
  body: [optional(rule<CaptureBody>('an object with "text" or "base64"', isBody))],
  event: [optional(stringRule('the name of an event', /^.{0,200}$/s))],
  sign: [BOOLEAN, false],
  tamper: [optional(oneOf(TAMPERINGS))],
  copies: [numberRule({ whole: true, from: 1, to: 100 }), 1],
} as const satisfies { readonly [Name in keyof SendCommand]: OptionTable[string] }

const REPLY = { reply: [oneOf(REPLIES), 'normal'] } as const

/** @throws CommandError that says what is wrong. */
export function readSend(command: unknown): SendCommand {
  return rejecting(() => checkOptions(command, SEND, '{ "target": "…" }'))
}

/** @throws CommandError that says what is wrong. */
export function readReply(command: unknown): Reply {
  return rejecting(() => checkOptions(command, REPLY, '{ "reply": "500" }')).reply
}

function rejecting<Result>(check: () => Result): Result {
  try {
    return check()
  } catch (error) {
    throw error instanceof TypeError ? new CommandError(error.message) : error
  }
}

function isSource(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'n' in value && 'attempt' in value
}

function isBody(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return typeof Reflect.get(value, 'text' in value ? 'text' : 'base64') === 'string'
}
