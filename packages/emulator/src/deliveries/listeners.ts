import { isCallable, printError } from '@webhook-receiver/core/internal'
import type { RegisteredWebhook } from '../webhooks/registry.ts'
import type { Attempt, DeliveryReport, Exchange, SentRequest } from './report.ts'

/** The events of `on`, by name. */
interface EmulatorEvents {
  /** A webhook was registered. */
  webhook: [webhook: RegisteredWebhook]
  /** A request is about to be sent. */
  request: [request: SentRequest, delivery: DeliveryReport]
  /** A request had its response, or failed. */
  attempt: [attempt: Attempt, delivery: DeliveryReport, exchange: Exchange]
  /** A delivery failed, and is retried at this time: milliseconds since the epoch, by the emulator's clock. */
  retry: [at: number, delivery: DeliveryReport]
  /** A delivery has its outcome. */
  delivery: [delivery: DeliveryReport]
}

export interface Listeners {
  /** Calls `listener` from now on; the function that is returned ends that. */
  on<Name extends keyof EmulatorEvents>(
    name: Name,
    listener: (...values: EmulatorEvents[Name]) => void,
  ): () => void
  notify<Name extends keyof EmulatorEvents>(name: Name, ...values: EmulatorEvents[Name]): void
}

/** The listeners of an emulator. What one of them throws is printed on standard error and stops nothing. */
export function createListeners(): Listeners {
  const listeners: {
    readonly [Name in keyof EmulatorEvents]: Set<(...values: EmulatorEvents[Name]) => void>
  } = {
    webhook: new Set(),
    request: new Set(),
    attempt: new Set(),
    retry: new Set(),
    delivery: new Set(),
  }
  return {
    on(name, listener) {
      if (!Object.hasOwn(listeners, name) || !isCallable(listener)) {
        throw new TypeError(
          "Write on('webhook' | 'request' | 'attempt' | 'retry' | 'delivery', (fact) => { … }): a name and a function.",
        )
      }
      listeners[name].add(listener)
      return () => {
        listeners[name].delete(listener)
      }
    },
    notify(name, ...values) {
      for (const listener of listeners[name]) {
        try {
          listener(...values)
        } catch (error) {
          printError(
            `[webhook-receiver] A listener of the emulator's "${name}" threw an error.`,
            error,
          )
        }
      }
    },
  }
}
