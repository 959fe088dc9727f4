import { processWide } from '../copies/process-wide.ts'

/** By store: the endpoints for which a handler was created, and whether a second one was reported. */
const endpoints = processWide('endpoints', () => new WeakMap<object, Map<string, boolean>>())

/**
 * Warns once of a second handler with the same store and endpoint: what one of them has handled, the other acknowledges
 * without running it.
 */
export function warnOfSharedEndpoint(store: object, endpoint: string): void {
  const known = endpoints.get(store) ?? new Map<string, boolean>()
  endpoints.set(store, known)
  const warned = known.get(endpoint)
  known.set(endpoint, warned !== undefined)
  if (warned !== false) return
  console.warn(
    `[webhook-receiver] Two handlers have the same store and the same \`endpoint\` (${JSON.stringify(endpoint)}): a delivery that one has ` +
      'handled is acknowledged by the other without running it. Give each webhook its own `endpoint`.',
  )
}
