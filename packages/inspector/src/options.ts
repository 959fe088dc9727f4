import { randomBytes } from 'node:crypto'
import { DEFAULTS as RECEIVER_DEFAULTS } from '@webhook-receiver/core'
import {
  CLOCK,
  checkOptions,
  functionRule,
  hidden,
  listOf,
  numberRule,
  type OptionTable,
  optional,
  stringRule,
} from '@webhook-receiver/core/options'
import type { RunDoctor } from './doctor.ts'

/** Each is checked once, when the inspector is made; a wrong one is a TypeError. */
export interface InspectorOptions {
  /**
   * The port of `start` on 127.0.0.1; 0 chooses a free one.
   * @default 0
   */
  readonly port?: number | undefined
  /**
   * The secret part of the address: at least 16 letters, digits, `-` and `_`.
   * @default random, a new one each time
   */
  readonly token?: string | undefined
  /**
   * Where `handler` is mounted on a server of yours, such as '/inspector'.
   * @default ''
   */
  readonly basePath?: string | undefined
  /**
   * Names that Host may have besides those of this machine, in lower case.
   * @default []
   */
  readonly allowedHosts?: readonly string[] | undefined
  /**
   * How many deliveries are kept.
   * @default 10_000
   */
  readonly history?: number | undefined
  /**
   * How many bytes of bodies are kept; the oldest go first.
   * @default 33_554_432
   */
  readonly maxBytes?: number | undefined
  /**
   * How long to wait for the answer to a request of the page, in seconds.
   * @default 10
   */
  readonly timeout?: number | undefined
  /**
   * The accepted difference between timestamp and clock, in seconds, for the verdicts of the page.
   * @default 300
   */
  readonly tolerance?: number | undefined
  /**
   * The largest body that the verdicts accept, in bytes.
   * @default 1_048_576
   */
  readonly limit?: number | undefined
  /** The API key of the service, which is often used as the secret by mistake: a diagnosis tries it. */
  readonly apiKey?: string | undefined
  /** Examines a receiver. Without it the page has no doctor. */
  readonly doctor?: RunDoctor | undefined
  /**
   * The clock: milliseconds since the epoch.
   * @default Date.now
   */
  readonly now?: (() => number) | undefined
}

/** The defaults, in the units of the options. */
export const DEFAULTS: {
  readonly [Name in keyof Omit<
    InspectorOptions,
    'token' | 'apiKey' | 'doctor' | 'now'
  >]-?: NonNullable<InspectorOptions[Name]>
} = {
  port: 0,
  basePath: '',
  allowedHosts: [],
  history: 10_000,
  maxBytes: 33_554_432,
  timeout: 10,
  tolerance: RECEIVER_DEFAULTS.tolerance,
  limit: RECEIVER_DEFAULTS.limit,
}

const OPTIONS = {
  port: [numberRule({ whole: true, from: 0, to: 65_535 }), DEFAULTS.port],
  token: [optional(hidden(stringRule('at least 16 letters, digits, - and _', /^[\w-]{16,}$/)))],
  basePath: [
    stringRule("'' or a path such as '/inspector'", /^(?:\/[\w.~-]+)*$/),
    DEFAULTS.basePath,
  ],
  allowedHosts: [
    listOf('an array of names', stringRule('a name in lower case', /^[a-z\d.:-]+$/)),
    DEFAULTS.allowedHosts,
  ],
  history: [numberRule({ whole: true, from: 1, to: 1_000_000 }), DEFAULTS.history],
  maxBytes: [numberRule({ unit: 'bytes', whole: true, from: 0 }), DEFAULTS.maxBytes],
  timeout: [numberRule({ unit: 'seconds', from: 0.001, to: 86_400 }), DEFAULTS.timeout],
  tolerance: [numberRule({ unit: 'seconds', from: 0, infinity: true }), DEFAULTS.tolerance],
  limit: [numberRule({ unit: 'bytes', whole: true, from: 1 }), DEFAULTS.limit],
  apiKey: [optional(hidden(stringRule('a string', /./s)))],
  doctor: [optional(functionRule<RunDoctor>('a function'))],
  now: [optional(CLOCK)],
} as const satisfies { readonly [Name in keyof Required<InspectorOptions>]: OptionTable[string] }

export interface ResolvedOptions extends Required<Omit<InspectorOptions, 'apiKey' | 'doctor'>> {
  readonly port: number
  readonly token: string
  readonly basePath: string
  readonly allowedHosts: readonly string[]
  readonly history: number
  readonly maxBytes: number
  readonly timeout: number
  readonly tolerance: number
  readonly limit: number
  readonly apiKey: string | undefined
  readonly doctor: RunDoctor | undefined
  readonly now: () => number
}

/**
 * Checks the options and fills in the defaults.
 *
 * @throws TypeError that says what to write instead.
 */
export function resolveOptions(options: unknown): ResolvedOptions {
  const checked = checkOptions(options, OPTIONS, '{ port: 4400 }')
  return {
    ...checked,
    token: checked.token ?? randomBytes(24).toString('base64url'),
    now: checked.now ?? Date.now,
  }
}
