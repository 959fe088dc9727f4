import { checkOptions, checkValue } from '../validate/check-options.ts'
import { RETENTION, type Rule } from '../validate/rule.ts'

/** The options of every store in a database. */
export interface StoreOptions {
  /**
   * How long a done mark is kept, in seconds. Keep it above the receiver's `tolerance` and above the time for which the service
   * retries a delivery. Anything but a number above 0 is a TypeError.
   * @default 259_200
   */
  readonly retention?: number | undefined
}

/** The default of `retention`: 72 hours. */
const DEFAULT_RETENTION = 259_200

/** The rule and the default of each option that one kind of store has besides. */
export type StoreOptionTable<Options extends StoreOptions> = {
  readonly [Name in Exclude<keyof Options, keyof StoreOptions>]-?: readonly [
    rule: Rule<Options[Name]>,
    fallback?: Options[Name],
  ]
}

/** Options with every default in its place. */
export type Resolved<Options> = {
  readonly [Name in keyof Options]-?: NonNullable<Options[Name]>
}

/**
 * Checks the options of a store and fills in the defaults.
 *
 * @param example What the application should have written.
 * @throws TypeError that says what to write instead.
 */
export function checkStoreOptions<Options extends StoreOptions>(
  options: unknown,
  table: StoreOptionTable<Options>,
  example: string,
): Resolved<Options> {
  const rules = { ...table, retention: [RETENTION, DEFAULT_RETENTION] } as const
  // Each value is what its rule says.
  return checkOptions(options, rules, example) as unknown as Resolved<Options>
}

/**
 * The length of a lease in seconds.
 *
 * @throws TypeError for an invalid one.
 */
export function checkLease(lease: unknown): number {
  return checkValue('lease', lease, RETENTION)
}

/** Claims of one store between two sweeps; the first claim is one that sweeps. */
const CLAIMS_PER_SWEEP = 256

/** The most rows that one sweep deletes: more than the claims since the last can have left. */
const SWEEP_SIZE = 1024

/**
 * Deletes expired rows on some of the claims, so that nothing else has to. It comes before the claim: where the rows cannot be
 * deleted, nothing is claimed and the operator hears of it.
 */
export function createSweeper<Swept>(sweep: (most: number) => Swept): () => Swept | undefined {
  let claims = 0
  return () => (claims++ % CLAIMS_PER_SWEEP === 0 ? sweep(SWEEP_SIZE) : undefined)
}
