import { hookOrFalse, RECEIVER_OPTIONS, type SharedValues } from '../option-rules.ts'
import type { DeliveryStore, TransactionalDeliveryStore } from '../store/store.ts'
import type { StoreCallHook } from '../store/store-call.ts'
import { isCallable } from '../validate/callable.ts'
import type { TableOf } from '../validate/check-options.ts'
import { isRecord } from '../validate/record.ts'
import {
  DURATION,
  EVENT_NAMES,
  hookRule,
  madeRule,
  optional,
  type Rule,
  rule,
  TIMEOUT,
} from '../validate/rule.ts'
import { FALLBACKS } from './dispatch.ts'
import type { HandlingHook } from './steps.ts'

/** What only handlers need to know: each option as it was checked. */
export interface HandlingValues {
  readonly store: DeliveryStore | TransactionalDeliveryStore<unknown> | undefined
  readonly lease: number
  readonly timeout: number | undefined
  readonly abandonAfter: number | undefined
  readonly storeTimeout: number
  readonly extraEvents: readonly string[]
  readonly onHandling: HandlingHook | undefined
  readonly onIgnored: HandlingHook | false | undefined
  readonly onStoreCall: StoreCallHook | undefined
}

/** What a worker's handler needs to know: without a request, no function of one can name the endpoint. */
export type WorkerValues = Omit<SharedValues, 'endpoint'> &
  HandlingValues & { readonly endpoint: string | undefined }

// The defaults, in seconds. No object: bundlers would keep the table of options for those who read none, since a property that it reads may be an
// accessor.
const LEASE = 30
const STORE_TIMEOUT = 2

/** The options that only handlers have: the rule and the default of each. */
export const HANDLING: TableOf<HandlingValues> = {
  store: [
    madeRule(
      'store',
      rule<HandlingValues['store']>(
        'a store with the methods claim, complete, release and extend, or with transact, such as memoryStore()',
        isStore,
      ),
    ),
  ],
  lease: [DURATION, LEASE],
  timeout: [optional(TIMEOUT)],
  abandonAfter: [optional(TIMEOUT)],
  storeTimeout: [DURATION, STORE_TIMEOUT],
  // The handlers have functions of these names for other events.
  extraEvents: [withoutFallbacks(EVENT_NAMES), []],
  onHandling: [hookRule<HandlingHook>()],
  onIgnored: [hookOrFalse<HandlingHook>()],
  onStoreCall: [hookRule<StoreCallHook>()],
}

/* @__NO_SIDE_EFFECTS__ */
function withoutFallbacks({ expected, is }: Rule<readonly string[]>): Rule<readonly string[]> {
  return rule(
    `${expected}, without 'unknown' and 'any'`,
    (value) => is(value) && !value.some((name) => FALLBACKS.includes(name)),
  )
}

/** The names of all options, of receivers too. */
export function optionNames(): readonly string[] {
  return Object.keys({ ...RECEIVER_OPTIONS, ...HANDLING })
}

export const HANDLING_EXAMPLE = '{ store: memoryStore() }'

function isStore(value: unknown): boolean {
  if (value === undefined) return true
  if (!isRecord(value)) return false
  return has(value, ['transact']) || has(value, ['claim', 'complete', 'release', 'extend'])
}

function has(store: Readonly<Record<string, unknown>>, methods: readonly string[]): boolean {
  return methods.every((method) => isCallable(store[method]))
}
