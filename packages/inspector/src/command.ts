import { FAULTS, type Fault } from '@webhook-receiver/emulator'
import { type Header, TAMPERINGS, type Tampering } from '@webhook-receiver/emulator/request'
import type { ScenarioSettings } from './scenario.ts'

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
  readonly headers: readonly Header[] | undefined
  readonly body: Uint8Array | undefined
  readonly sign: boolean
  readonly tamper: Tampering | undefined
  /** How many at once. */
  readonly copies: number
}

const MAX_COPIES = 100

/** The fault `restart` needs a function of the program that started the receiver. */
export const PAGE_FAULTS: readonly Fault[] = FAULTS.filter((fault) => fault !== 'restart')

type Json = Readonly<Record<string, unknown>>

/** @throws CommandError that says what is wrong. */
export function readSend(command: Json): SendCommand {
  const { target, from, headers, body, sign, tamper, copies = 1 } = command
  return {
    target: optionalOf(target, 'target', isString),
    from: optionalOf(from, 'from', isSource),
    headers: optionalOf(headers, 'headers', isHeaders),
    body: readBody(body),
    sign: sign === true || tamper !== undefined,
    tamper: optionalOf(tamper, 'tamper', isTampering),
    copies: checked(copies, 'copies', (value): value is number => isWhole(value, 1, MAX_COPIES)),
  }
}

/** @throws CommandError that says what is wrong. */
export function readScenario({ rate, count, faults, faultRate }: Json): ScenarioSettings {
  return {
    rate: optionalOf(rate, 'rate', (value): value is number => isBetween(value, 0.01, 1000)),
    count: optionalOf(count, 'count', (value): value is number => isWhole(value, 1, 1e9)),
    faults: optionalOf(faults, 'faults', isFaults),
    faultRate: optionalOf(faultRate, 'faultRate', (value): value is number =>
      isBetween(value, 0, 1),
    ),
  }
}

function readBody(body: unknown): Uint8Array | undefined {
  if (body === undefined) return undefined
  if (typeof body === 'object' && body !== null) {
    if ('text' in body && typeof body.text === 'string') return Buffer.from(body.text)
    if ('base64' in body && typeof body.base64 === 'string')
      return Buffer.from(body.base64, 'base64')
  }
  throw wrong('body')
}

function optionalOf<Value>(
  value: unknown,
  name: string,
  is: (value: unknown) => value is Value,
): Value | undefined {
  return value === undefined || value === null ? undefined : checked(value, name, is)
}

function checked<Value>(
  value: unknown,
  name: string,
  is: (value: unknown) => value is Value,
): Value {
  if (is(value)) return value
  throw wrong(name)
}

function wrong(name: string): CommandError {
  return new CommandError(`The value of "${name}" is invalid.`)
}

function isString(value: unknown): value is string {
  return typeof value === 'string'
}

function isBetween(value: unknown, least: number, most: number): value is number {
  return typeof value === 'number' && value >= least && value <= most
}

function isWhole(value: unknown, least: number, most: number): value is number {
  return isBetween(value, least, most) && Number.isInteger(value)
}

function isSource(value: unknown): value is { readonly n: number; readonly attempt: number } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'n' in value &&
    'attempt' in value &&
    isWhole(value.n, 1, Number.MAX_SAFE_INTEGER) &&
    isWhole(value.attempt, 1, Number.MAX_SAFE_INTEGER)
  )
}

function isHeaders(value: unknown): value is readonly Header[] {
  return (
    Array.isArray(value) &&
    value.every(
      (pair) =>
        Array.isArray(pair) &&
        pair.length === 2 &&
        isString(pair[0]) &&
        /^[!#$%&'*+.^_`|~\w-]+$/.test(pair[0]) &&
        isString(pair[1]) &&
        /^[\t\x20-\x7e\x80-\xff]*$/.test(pair[1]),
    )
  )
}

function isTampering(value: unknown): value is Tampering {
  return TAMPERINGS.some((known) => known === value)
}

function isFaults(value: unknown): value is readonly Fault[] {
  return Array.isArray(value) && value.every((fault) => PAGE_FAULTS.includes(fault))
}
