import type { Scheme } from '@webhook-receiver/core'
import type { Fault } from './fault.ts'
import type { TimestampFormat } from './timestamp.ts'
import type { RegisteredWebhookWithSecret } from './webhooks/registry.ts'

/** Each is checked once, when the emulator is made; a wrong one is a TypeError. */
export interface EmulatorOptions<ExtraEvent extends string = never> {
  /**
   * The API key for registrations. Without white space.
   * @default a random key, available as `emulator.apiKey`
   */
  readonly apiKey?: string | undefined
  /**
   * The address to listen on.
   * @default '127.0.0.1'
   */
  readonly host?: string | undefined
  /**
   * The port to listen on; 0 chooses a free one.
   * @default 0
   */
  readonly port?: number | undefined
  /**
   * Names that the header `Host` may have besides `localhost` and loopback addresses: `'emulator'` with any port, `'emulator:8080'` with that
   * one.
   * @default []
   */
  readonly allowedHosts?: readonly string[] | undefined
  /**
   * The clock for signatures and reports: milliseconds since the epoch.
   * @default Date.now
   */
  readonly now?: (() => number) | undefined
  /**
   * Decides which deliveries have which fault, the same ones with the same seed: a whole number from 0 to 4294967295.
   * @default a random number, available as `emulator.seed`
   */
  readonly seed?: number | undefined
  /**
   * Your own names of events, besides the seven known ones.
   * @default []
   */
  readonly extraEvents?: readonly ExtraEvent[] | undefined
  /**
   * Another service, such as `stripe`, whose deliveries are signed with a shared secret or a private key of yours. Then only `extraEvents` are events.
   * @default the default format
   */
  readonly scheme?: Scheme | undefined
  /** The origin of the URL that the service was given, if its scheme signs the URL. */
  readonly publicUrl?: string | undefined
  /**
   * How `X-Webhook-Timestamp` is written.
   * @default 'unix-seconds'
   */
  readonly timestampForm?: TimestampFormat | undefined
  /**
   * How many seconds to wait before each retry, such as `[0.01]` in a test, up to a day; an empty array makes none. A retry has the same `id`, and a new
   * timestamp and signature.
   * @default [1, 5, 30]
   */
  readonly retries?: readonly number[] | undefined
  /**
   * How long to wait for the whole response, in seconds.
   * @default 10
   */
  readonly timeout?: number | undefined
  /**
   * The faults that deliveries may have, at most one each.
   * @default []
   */
  readonly faults?: readonly Fault[] | undefined
  /**
   * The share of deliveries that have one of `faults`, from 0 to 1.
   * @default 0.25
   */
  readonly faultRate?: number | undefined
  /**
   * How long `delay` and `reorder` hold a delivery back at most, and `slow-body` takes, in seconds.
   * @default 2
   */
  readonly faultDelay?: number | undefined
  /**
   * How far `stale` and `future` are from the clock, in seconds.
   * @default 3600
   */
  readonly faultSkew?: number | undefined
  /**
   * Called with each webhook and the secret that signs, for a tool of the same process that signs or verifies. Nothing else hands out the
   * secret of a webhook that was registered over HTTP. What it throws is printed on standard error.
   */
  readonly onRegistered?: ((webhook: RegisteredWebhookWithSecret) => void) | undefined
}
