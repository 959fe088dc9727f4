import { randomBytes, randomInt } from 'node:crypto'
import type { Scheme } from '@webhook-receiver/core'
import {
  CLOCK,
  checkOptions,
  checkValue,
  contract,
  DAY,
  EVENT_NAMES,
  functionRule,
  hidden,
  listOf,
  madeRule,
  numberRule,
  type OptionTable,
  oneOf,
  optional,
  rule,
  stringRule,
} from '@webhook-receiver/core/internal'
import { assertSensible, FAULTS, type Fault, faultRule, faultsFor } from './fault.ts'
import type { EmulatorOptions } from './options.ts'
import { readAuthority } from './request/source.ts'
import { MISTAKES } from './request/tampering.ts'
import { TIMESTAMP_FORMS } from './timestamp.ts'

type Filled<Options> = { readonly [Name in keyof Options]-?: NonNullable<Options[Name]> }

/** The options with every default in its place. */
export interface ResolvedOptions
  extends Filled<Omit<EmulatorOptions, 'onRegistered' | 'extraEvents' | 'publicUrl'>>,
    Pick<EmulatorOptions, 'onRegistered' | 'publicUrl'> {
  /** The seven and the extra ones. */
  readonly events: ReadonlySet<string>
}

/** A time to wait, in seconds. Two of the longest still fit into one timer. */
const PAUSE = numberRule({ unit: 'seconds', from: 0, to: DAY })

const AUTHORITY = rule<string>(
  'a name, with a port or without',
  (value) => typeof value === 'string' && readAuthority(value) !== undefined,
)

/** Tools sign what a service would send, by a shared secret or a private key of theirs. */
const SCHEME = madeRule(
  'scheme',
  rule<Scheme>(
    'a scheme by which the holder of a secret can sign',
    (value) => typeof value === 'object' && value !== null && 'sign' in value,
  ),
)

const ALL_FAULTS: readonly Fault[] = [...FAULTS, ...MISTAKES]

const OPTIONS = {
  apiKey: [
    optional(
      hidden(
        stringRule('a string of visible ASCII characters, such as "sk_test_1"', /^[\x21-\x7e]+$/),
      ),
    ),
  ],
  host: [stringRule("a host name or address, such as '127.0.0.1'", /./s), '127.0.0.1'],
  port: [numberRule({ whole: true, from: 0, to: 65_535 }), 0],
  allowedHosts: [
    listOf("an array of names, each with a port or without, such as ['emulator']", AUTHORITY),
    [],
  ],
  now: [optional(CLOCK)],
  seed: [optional(numberRule({ whole: true, from: 0, to: 2 ** 32 - 1 }))],
  extraEvents: [EVENT_NAMES, []],
  scheme: [optional(SCHEME)],
  publicUrl: [optional(stringRule('a URL or its origin', /./s))],
  timestampForm: [oneOf(TIMESTAMP_FORMS), 'unix-seconds'],
  retries: [listOf(`an array, each ${PAUSE.expected}`, PAUSE), [1, 5, 30]],
  timeout: [numberRule({ unit: 'seconds', from: 0.001, to: DAY }), 10],
  faults: [
    listOf(`an array of faults, out of: ${ALL_FAULTS.join(', ')}`, faultRule(ALL_FAULTS)),
    [],
  ],
  faultRate: [numberRule({ from: 0, to: 1 }), 0.25],
  faultDelay: [PAUSE, 2],
  faultSkew: [numberRule({ unit: 'seconds', from: 1, to: 1_000_000_000 }), 3600],
  onRegistered: [
    optional(functionRule<NonNullable<EmulatorOptions['onRegistered']>>('a function')),
  ],
} as const satisfies { readonly [Name in keyof Required<EmulatorOptions>]: OptionTable[string] }

/**
 * Checks the options and fills in the defaults.
 *
 * @throws TypeError that says what to write instead.
 */
export function resolveOptions(options: unknown): ResolvedOptions {
  const { extraEvents, ...checked } = checkOptions(options, OPTIONS, '{ port: 4000 }')
  const { scheme = contract, faults } = checked
  const known = faultsFor(scheme)
  const all = `an array of faults, out of: ${known.join(', ')}`
  checkValue('faults', faults, listOf(all, faultRule(known)))
  assertSensible(faults, scheme)
  return {
    ...checked,
    scheme,
    apiKey: checked.apiKey ?? randomBytes(24).toString('base64url'),
    now: checked.now ?? (() => Date.now()),
    seed: checked.seed ?? randomInt(2 ** 32),
    events: new Set<string>([...(scheme.events ?? []), ...extraEvents]),
  }
}
