import type { createReceiver, HeaderLookup, WebhookError } from '@webhook-receiver/core'
import type { Parameters, RunDetails } from 'fast-check'

/** What of core is compared with the model. */
export interface Parts {
  readonly createReceiver: typeof createReceiver
  readonly WebhookError: typeof WebhookError
  parseJson(bytes: Uint8Array): unknown
  readTimestamp(text: string): number | undefined
  checkHeaders(
    request: { readonly method: string; readonly header: HeaderLookup },
    limit: number,
  ): object
}

export interface Property {
  readonly name: string
  check(
    settings: Parameters<unknown> & { outcomes?: Record<string, number> },
  ): Promise<RunDetails<unknown>>
}

export function propertiesOf(core: Parts): readonly Property[]
