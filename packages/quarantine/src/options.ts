import {
  CLOCK,
  checkOptions,
  numberRule,
  type OptionTable,
  RETENTION,
} from '@webhook-receiver/core/internal'

/** The bounds apply to each of the two pools. An invalid option is a TypeError when the quarantine is created. */
export interface FolderQuarantineOptions {
  /** How many requests a pool holds at most: a whole number from 1. @default 10_000 */
  readonly maxEntries?: number | undefined
  /** The size of all files of a pool in bytes, each rounded up to 4,096: a whole number from 65,536. @default 134_217_728 */
  readonly maxBytes?: number | undefined
  /** How many requests a pool takes per second, on average over 10 s: a number above 0. @default 500 */
  readonly rate?: number | undefined
  /** How long a request is kept, in seconds: a number above 0. @default 604_800 */
  readonly retention?: number | undefined
  /** The clock: milliseconds since the epoch. @default Date.now */
  readonly now?: (() => number) | undefined
}

/** The options with every default in its place. */
export type ResolvedOptions = {
  readonly [Name in keyof FolderQuarantineOptions]-?: NonNullable<FolderQuarantineOptions[Name]>
}

const OPTIONS = {
  maxEntries: [numberRule({ unit: 'requests', from: 1, whole: true }), 10_000],
  maxBytes: [numberRule({ unit: 'bytes', from: 65_536, whole: true }), 134_217_728],
  rate: [numberRule({ unit: 'requests', above: 0, to: 1_000_000 }), 500],
  retention: [RETENTION, 604_800],
  now: [CLOCK, () => Date.now()],
} as const satisfies { readonly [Name in keyof ResolvedOptions]: OptionTable[string] }

/** @throws TypeError that says what to write instead. */
export function resolveOptions(options: unknown): ResolvedOptions {
  return checkOptions(options, OPTIONS, '{ maxEntries: 20_000 }')
}
