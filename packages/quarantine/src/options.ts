import {
  CLOCK,
  checkOptions,
  checkValue,
  DURATION,
  numberRule,
  type OptionTable,
  optional,
  RETENTION,
  stringRule,
} from '@webhook-receiver/core/options'

/** The options of the quarantine. They are checked once, when it is created. An invalid one is a TypeError. */
export interface FolderQuarantineOptions {
  /**
   * The largest size of all files together, in bytes, each rounded up to 4,096. Anything but a whole number from
   * 65,536 is a TypeError.
   * @default 268_435_456
   */
  readonly maxBytes?: number | undefined
  /**
   * How many requests are kept at most. Anything but a whole number from 1 is a TypeError.
   * @default 20_000
   */
  readonly maxEntries?: number | undefined
  /**
   * How many requests are kept per second at most, on average over 10 s, for each rank. Anything but a number above 0
   * is a TypeError.
   * @default 500
   */
  readonly rate?: number | undefined
  /**
   * How many of `maxEntries` are kept at most while deliveries are accepted with the same secret. They take at most a
   * tenth of `maxBytes`. Anything but a whole number from 0 is a TypeError.
   * @default 200
   */
  readonly reserve?: number | undefined
  /**
   * How long after an accepted delivery a request that does not match the same secret goes to the reserve, in seconds.
   * Anything but a number above 0 and up to 86,400 is a TypeError.
   * @default 60
   */
  readonly quiet?: number | undefined
  /**
   * How long a request is kept, in seconds. Anything but a number above 0 is a TypeError.
   * @default 604_800
   */
  readonly retention?: number | undefined
  /**
   * The clock: milliseconds since the epoch.
   * @default Date.now
   */
  readonly now?: (() => number) | undefined
}

/** The options with every default in its place. */
export interface ResolvedOptions {
  readonly maxBytes: number
  readonly maxEntries: number
  readonly rate: number
  readonly reserve: number
  readonly quiet: number
  readonly retention: number
  readonly now: () => number
}

/** The defaults, in the units of the options. */
export const DEFAULTS = {
  maxBytes: 268_435_456,
  maxEntries: 20_000,
  rate: 500,
  reserve: 200,
  quiet: 60,
  retention: 604_800,
} as const

const OPTIONS = {
  maxBytes: [numberRule({ unit: 'bytes', from: 65_536, whole: true }), DEFAULTS.maxBytes],
  maxEntries: [numberRule({ unit: 'requests', from: 1, whole: true }), DEFAULTS.maxEntries],
  rate: [numberRule({ unit: 'requests', above: 0, to: 1_000_000 }), DEFAULTS.rate],
  reserve: [numberRule({ unit: 'requests', from: 0, whole: true }), DEFAULTS.reserve],
  quiet: [DURATION, DEFAULTS.quiet],
  retention: [RETENTION, DEFAULTS.retention],
  now: [optional(CLOCK)],
} as const satisfies {
  readonly [Name in keyof Required<FolderQuarantineOptions>]: OptionTable[string]
}

/**
 * Checks the options and fills in the defaults.
 *
 * @throws TypeError that says what to write instead.
 */
export function resolveOptions(options: unknown): ResolvedOptions {
  const { now = Date.now, ...others } = checkOptions(options, OPTIONS, '{ maxEntries: 20_000 }')
  return { ...others, now }
}

/** @throws TypeError for anything but a path. */
export function checkFolder(folder: unknown): string {
  return checkValue('folder', folder, stringRule("a path, such as './quarantine'", /./s))
}
