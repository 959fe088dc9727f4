/** The names of the channels, by what happens. docs/reference/channels.md has a row for each. */
export const CHANNELS = {
  /** A delivery is accepted. */
  received: 'webhook-receiver:received',
  /** A request is rejected. */
  rejected: 'webhook-receiver:rejected',
  /** The handler of a delivery begins. */
  claimed: 'webhook-receiver:claimed',
  /** A copy of a delivery that was handled before, or is being handled. */
  duplicate: 'webhook-receiver:duplicate',
  /** The handler of a delivery is done. */
  completed: 'webhook-receiver:completed',
  /** A delivery could not be handled. */
  failed: 'webhook-receiver:failed',
  /** There is no handler for a delivery, and it is acknowledged. */
  ignored: 'webhook-receiver:ignored',
  /** A call of the store is over. */
  store: 'webhook-receiver:store',
} as const

/** What is needed of a channel of node:diagnostics_channel. */
export interface Channel {
  readonly hasSubscribers: boolean
  publish(message: object): void
}

interface DiagnosticsChannel {
  channel(name: string): Channel
}

/**
 * A channel of node:diagnostics_channel. A message is only made if there is a subscriber.
 *
 * The module is looked up without an import, so that this loads where it does not exist (Node, Deno, Bun, and
 * Workers with nodejs_compat have it): there is no channel then, and nothing is ever published.
 */
export function channel(name: string): Channel | undefined {
  try {
    const module: DiagnosticsChannel | undefined = Reflect.get(
      globalThis,
      'process',
    )?.getBuiltinModule?.('node:diagnostics_channel')
    return module?.channel(name)
  } catch {
    // In the Edge Runtime of Next.js, each function of `process` throws.
    return undefined
  }
}
