import type { Server } from 'node:http'
import type { WebhookContext, WebhookHandlerOptions } from '@webhook-receiver/core'
import type { NoSchemas } from '@webhook-receiver/core/adapter'
import type { DeliveryHandlers } from '@webhook-receiver/core/internal'

/** What an adapter gets to start a receiver. */
export interface AdapterSetup {
  readonly secret: string
  /** The receiver's clock, in milliseconds since the epoch. */
  readonly now: () => number
  /** The path deliveries are posted to. */
  readonly path: string
  /** The application's handler. It throws for the cases in which a handler fails. */
  readonly onDelivery: (delivery: unknown) => void | Promise<void>
}

/** A receiver that listens on 127.0.0.1. */
export interface RunningAdapter {
  readonly port: number
  readonly server: Server
  close(): Promise<void>
}

export type StartAdapter = (setup: AdapterSetup) => RunningAdapter | Promise<RunningAdapter>

/** What an adapter gets to start `webhookHandler(secret, handlers, { now, onRejected: false, ...options })`. */
export interface HandlerSetup extends Pick<AdapterSetup, 'secret' | 'now' | 'path'> {
  readonly handlers: DeliveryHandlers<NoSchemas, never, WebhookContext<unknown>>
  readonly options: WebhookHandlerOptions
}

export type StartHandler = (setup: HandlerSetup) => RunningAdapter | Promise<RunningAdapter>
