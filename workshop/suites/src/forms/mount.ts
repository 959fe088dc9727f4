import type { RunningAdapter } from '@webhook-receiver/conformance'

/** An adapter that has both forms, as a suite uses it. */
export interface Forms {
  readonly webhookMiddleware: (...args: never[]) => unknown
  readonly webhookHandler: (...args: never[]) => unknown
  /**
   * What `webhookHandler` needs besides, to receive at PATH.
   * @default {}
   */
  readonly handlerOptions?: object
  /**
   * Settings of the framework for proxies, each with the address that is then taken from `203.0.113.9, 198.51.100.7` in
   * X-Forwarded-For; undefined is the address of the connection.
   * @default the framework knows no address; where it, or Node's own request, has that of the connection only, `[[undefined, undefined]]`
   */
  readonly proxies?: readonly (readonly [setting: unknown, address: string | undefined])[]
  mount(mounted: Mounted): RunningAdapter | Promise<RunningAdapter>
}

/** What an application of the framework has. */
export interface Mounted {
  /** What the forms returned, to be mounted one behind the other for every method of PATH. */
  readonly receivers: readonly never[]
  /** Whether they are handlers: then there is nothing behind them. */
  readonly isHandler: boolean
  /** Set for every response by something in front of the receivers. */
  readonly headers: Readonly<Record<string, string>>
  /** What is behind a middleware. The response is 204 when it has resolved. */
  readonly behind: (attached: Attached) => Promise<void>
  /**
   * What the framework calls for an error. The response is 418 then. Without it, the framework responds by itself. If the framework does not
   * catch what a middleware throws, as Polka 0.5, catch it around the application and call this.
   */
  readonly onError: ((error: unknown) => void) | undefined
  /** A setting out of `proxies`. */
  readonly proxy: unknown
}

/** What the framework has behind a middleware. */
export interface Attached {
  readonly delivery: unknown
  readonly verification: unknown
  readonly required: () => unknown
  /** @default the delivery */
  readonly body?: unknown
}

export const PATH = '/webhooks'
