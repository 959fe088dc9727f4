import { checkValue, optional, stringRule } from '@webhook-receiver/core/internal'
import { assertSensible, type Fault, faultRule, faultsFor } from './fault.ts'
import type { ResolvedOptions } from './resolved-options.ts'

export interface EmitOptions {
  /** @default 'inst_01' */
  readonly instanceId?: string | undefined
  /**
   * The fault of these deliveries, or `'none'`.
   * @default chosen at random from the option `faults`
   */
  readonly fault?: Fault | 'none' | undefined
}

/** An event, and what its deliveries have in common. */
export interface Emission {
  readonly event: string
  readonly data: Readonly<Record<string, unknown>> | undefined
  readonly instanceId: string
  readonly fault: Fault | 'none' | undefined
}

/**
 * Checks the arguments of `emit`, and copies the data, because retries need it later.
 *
 * @throws TypeError that says what to write instead.
 */
export function checkedEmission(
  { event, data, instanceId, fault }: Emission,
  { events, scheme }: Pick<ResolvedOptions, 'events' | 'scheme'>,
): Emission {
  if (!events.has(event)) {
    const known = [...events].join(', ')
    const listed = known ? `The events are: ${known}. Add a newer one` : 'Add it'
    throw new TypeError(`${JSON.stringify(event)} is not an event. ${listed} to \`extraEvents\`.`)
  }
  checkValue('instanceId', instanceId, INSTANCE_ID)
  checkValue('fault', fault, optional(faultRule(['none', ...faultsFor(scheme)])))
  if (fault) assertSensible([fault], scheme)
  return { event, data: data === undefined ? undefined : copied(data), instanceId, fault }
}

const INSTANCE_ID = stringRule("a string that is not empty, such as 'inst_01'", /./s)

function copied(data: unknown): Readonly<Record<string, unknown>> {
  try {
    const copy: unknown = JSON.parse(JSON.stringify(data))
    if (typeof copy === 'object' && copy !== null && !Array.isArray(copy)) return { ...copy }
  } catch (cause) {
    const advice = 'leave out BigInts and circular references.'
    throw new TypeError(`\`data\` cannot be written as JSON: ${advice}`, { cause })
  }
  throw new TypeError("`data` should be an object that JSON can hold, such as { text: 'hello' }.")
}
