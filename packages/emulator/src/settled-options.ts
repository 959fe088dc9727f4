import { randomBytes, randomInt } from 'node:crypto'
import { EVENTS } from '@webhook-receiver/core'
import { FAULTS, type Fault } from './fault.ts'
import { DEFAULTS, type EmulatorOptions } from './options.ts'
import { readAuthority } from './request-source.ts'
import { TIMESTAMP_FORMS, type TimestampForm } from './timestamp.ts'

/** The options with every default in its place. */
export interface ResolvedOptions {
  readonly apiKey: string
  readonly host: string
  readonly port: number
  readonly allowedHosts: readonly string[]
  readonly maxWebhooks: number
  readonly now: () => number
  readonly seed: number
  readonly allowInsecureLoopback: boolean
  /** The seven and the extra ones. */
  readonly events: ReadonlySet<string>
  readonly timestampForm: TimestampForm
  readonly retries: readonly number[]
  readonly resignRetries: boolean
  readonly timeout: number
  readonly finalStatuses: ReadonlySet<number>
  readonly timeScale: number
  readonly faults: readonly Fault[]
  readonly faultRate: number
  readonly faultDelay: number
  readonly faultSkew: number
  readonly restartReceiver: (() => void | Promise<void>) | undefined
  readonly history: number
}

/** The longest that anything can be made to wait, in seconds. Two of it still fit into one timer. */
const LONGEST = 86_400

/**
 * Judges the options and fills in the defaults.
 *
 * @throws TypeError that says what to write instead.
 */
export function resolveOptions(options: unknown): ResolvedOptions {
  if (typeof options !== 'object' || options === null) {
    throw new TypeError('Give the options as an object: createEmulator({ port: 4000 }).')
  }
  const given = withDefaults(options)
  const read = <Value>(name: Name, is: Is<Value>, wanted: string): Value => {
    if (is(given[name])) return given[name]
    throw new TypeError(
      `\`${name}\` should be ${wanted}${name === 'apiKey' ? '' : `; got ${shown(given[name])}`}.`,
    )
  }
  const seconds = `a number of seconds from 0 to ${LONGEST}`
  const faults = read(
    'faults',
    arrayOf(isFault),
    `an array of faults, out of: ${FAULTS.join(', ')}`,
  )
  const restartReceiver = read('restartReceiver', optional(isFunction), 'a function')
  if (faults.includes('restart')) refuseNoRestart(restartReceiver)
  return {
    apiKey: read('apiKey', isKey, 'a string of visible ASCII characters, such as "sk_test_1"'),
    host: read('host', isName, "a host name or address, such as '127.0.0.1'"),
    port: read('port', between(0, 65_535, true), 'a whole number from 0 to 65535'),
    allowedHosts: read(
      'allowedHosts',
      arrayOf(isAuthority),
      "an array of names, each with a port or without, such as ['emulator']",
    ),
    maxWebhooks: read('maxWebhooks', between(1, 10_000, true), 'a whole number from 1 to 10000'),
    now: read(
      'now',
      isClock,
      'a function that gives milliseconds since the epoch, such as Date.now',
    ),
    seed: read('seed', between(0, 2 ** 32 - 1, true), `a whole number from 0 to ${2 ** 32 - 1}`),
    allowInsecureLoopback: read('allowInsecureLoopback', isBoolean, 'true or false'),
    events: new Set<string>([
      ...EVENTS,
      ...read(
        'extraEvents',
        arrayOf(isName),
        "an array of event names, such as ['message.reacted']",
      ),
    ]),
    timestampForm: read('timestampForm', isForm, `one of: ${TIMESTAMP_FORMS.join(', ')}`),
    retries: read('retries', arrayOf(between(0, LONGEST)), `an array, each ${seconds}`),
    resignRetries: read('resignRetries', isBoolean, 'true or false'),
    timeout: read(
      'timeout',
      between(0.001, LONGEST),
      `a number of seconds from 0.001 to ${LONGEST}`,
    ),
    finalStatuses: new Set(
      read(
        'finalStatuses',
        arrayOf(between(300, 599, true)),
        'an array of statuses from 300 to 599',
      ),
    ),
    timeScale: read('timeScale', between(0, 1), 'a number from 0 to 1'),
    faults,
    faultRate: read('faultRate', between(0, 1), 'a number from 0 to 1'),
    faultDelay: read('faultDelay', between(0, LONGEST), seconds),
    faultSkew: read('faultSkew', between(1, 1e9), 'a number of seconds from 1 to 1e9'),
    restartReceiver,
    history: read('history', between(0, 1e7, true), 'a whole number from 0 to 1e7'),
  }
}

/** @throws TypeError where there is no way to restart the receiver. */
export function refuseNoRestart(restartReceiver: unknown): void {
  if (restartReceiver !== undefined) return
  throw new TypeError(
    "The fault 'restart' needs the option `restartReceiver`: a function that restarts your receiver.",
  )
}

type Name = keyof EmulatorOptions
type Is<Value> = (value: unknown) => value is Value

function withDefaults(options: object): Readonly<Record<Name, unknown>> {
  const defaults: Record<Name, unknown> = {
    apiKey: randomBytes(24).toString('base64url'),
    now: Date.now,
    seed: randomInt(2 ** 32),
    extraEvents: [],
    restartReceiver: undefined,
    ...DEFAULTS,
  }
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(defaults, name)) {
      throw new TypeError(
        `There is no option ${JSON.stringify(name)}. The options are: ${Object.keys(defaults).join(', ')}.`,
      )
    }
    if (value !== undefined) defaults[name as Name] = value
  }
  return defaults
}

function shown(value: unknown): string {
  if (typeof value === 'string' || Array.isArray(value)) return JSON.stringify(value)
  return typeof value === 'number' ? String(value) : `a value of type ${typeof value}`
}

function between(least: number, most: number, whole = false): Is<number> {
  return (value): value is number =>
    typeof value === 'number' &&
    value >= least &&
    value <= most &&
    (!whole || Number.isInteger(value))
}

function arrayOf<Item>(is: Is<Item>): Is<readonly Item[]> {
  return (value): value is readonly Item[] => Array.isArray(value) && value.every(is)
}

function optional<Value>(is: Is<Value>): Is<Value | undefined> {
  return (value): value is Value | undefined => value === undefined || is(value)
}

function isKey(value: unknown): value is string {
  return typeof value === 'string' && /^[\x21-\x7e]+$/.test(value)
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

function isAuthority(value: unknown): value is string {
  return typeof value === 'string' && readAuthority(value) !== undefined
}

function isBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean'
}

function isFunction(value: unknown): value is () => void | Promise<void> {
  return typeof value === 'function'
}

function isClock(value: unknown): value is () => number {
  return typeof value === 'function'
}

function isFault(value: unknown): value is Fault {
  return FAULTS.some((fault) => fault === value)
}

function isForm(value: unknown): value is TimestampForm {
  return TIMESTAMP_FORMS.some((form) => form === value)
}
