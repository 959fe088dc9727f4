import { CLOCK, optionsRecord, RETENTION, settle, WHOLE } from '../validate/setting.ts'

/** The defaults of the memory store, in the units of its options. */
const MEMORY_DEFAULTS: Omit<ResolvedMemoryOptions, 'now'> = {
  maxEntries: 100_000,
  // 72 hours.
  retention: 259_200,
}

interface ResolvedMemoryOptions {
  readonly maxEntries: number
  readonly retention: number
  readonly now: () => number
}

export function resolveMemoryOptions(options: unknown): ResolvedMemoryOptions {
  const {
    maxEntries = MEMORY_DEFAULTS.maxEntries,
    retention = MEMORY_DEFAULTS.retention,
    now = () => performance.now(),
  } = optionsRecord(options, ['maxEntries', 'retention', 'now'], '{ maxEntries: 100_000 }')
  return {
    maxEntries: settle('maxEntries', maxEntries, WHOLE),
    retention: settle('retention', retention, RETENTION),
    now: settle('now', now, CLOCK),
  }
}
