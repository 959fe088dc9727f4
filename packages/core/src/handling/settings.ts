import { ENDPOINT, SHARED } from '../option-rules.ts'
import { defaultEndpoint, leftOut } from '../settings.ts'
import type { TransactionalDeliveryStore } from '../store/store.ts'
import { checkOptions, type TableOf } from '../validate/check-options.ts'
import { optional } from '../validate/rule.ts'
import { requireDuplicates } from '../verify/duplicates.ts'
import { HANDLING, HANDLING_EXAMPLE, type WorkerValues } from './option-rules.ts'

/** The options with every default in its place. */
export interface ResolvedHandlingOptions extends Omit<WorkerValues, 'extraEvents'> {
  readonly endpoint: string
  readonly timeout: number
  readonly abandonAfter: number
  readonly events: ReadonlySet<string>
  readonly now: () => number
}

/**
 * Checks the options of a worker's handler and fills in the defaults.
 *
 * @throws TypeError that says what to write instead.
 */
export function resolveHandlingOptions(options: unknown = {}): ResolvedHandlingOptions {
  const table: TableOf<WorkerValues> = {
    ...SHARED,
    endpoint: [optional(ENDPOINT)],
    ...HANDLING,
  }
  const checked = checkOptions(options, table, HANDLING_EXAMPLE)
  return handlingSettings({
    ...checked,
    abandonAfter: checked.abandonAfter ?? Number.POSITIVE_INFINITY,
  })
}

/** The default of `timeout` with a store, in seconds. */
const HANDLER_TIMEOUT = 25

/**
 * The settings of a handler, from checked options.
 *
 * @throws TypeError for options that do not fit one another, or the scheme.
 */
export function handlingSettings(
  checked: WorkerValues & { readonly abandonAfter: number },
): ResolvedHandlingOptions {
  const { scheme, store, extraEvents, ...others } = checked
  const { patience = Number.POSITIVE_INFINITY, events = [] } = scheme
  const shortest = patience > HANDLER_TIMEOUT ? HANDLER_TIMEOUT : patience * 0.8
  if (store) requireDuplicates(scheme, others.duplicates)
  if (store && scheme.decision) {
    throw leftOut('store', scheme, 'acts on the response, and a duplicate would get none')
  }
  // A decision that comes too late is none, and a store would have no use there.
  const isBound = store !== undefined || scheme.decision === true
  const timeout = others.timeout ?? (isBound ? shortest : Number.POSITIVE_INFINITY)
  if (others.abandonAfter < timeout && timeout < Number.POSITIVE_INFINITY) {
    throw new TypeError(
      `\`abandonAfter\` should be at least the \`timeout\` of ${timeout} s; got ${others.abandonAfter}.`,
    )
  }
  return {
    ...others,
    scheme,
    store,
    endpoint: others.endpoint ?? defaultEndpoint(scheme),
    timeout,
    events: new Set<string>([...events, ...extraEvents]),
    now: others.now ?? (() => Date.now()),
  }
}

/** The default of `abandonAfter` for handlers of requests, in seconds: no service waits as long, nor does it stop retrying so soon. */
const ABANDON_REQUEST_AFTER = 900

/** What `abandonAfter` is in a `webhookHandler` that says nothing. */
export function defaultAbandonAfter(timeout = 0): number {
  return timeout < Number.POSITIVE_INFINITY
    ? Math.max(timeout, ABANDON_REQUEST_AFTER)
    : ABANDON_REQUEST_AFTER
}

export function isTransactional(
  store: NonNullable<ResolvedHandlingOptions['store']>,
): store is TransactionalDeliveryStore<unknown> {
  return 'transact' in store
}
