import type { Server } from 'node:http'
import type { ReceiverOptions } from '@webhook-receiver/core'

export const ADAPTERS: readonly string[]

export const applications: Readonly<
  Record<string, (secret: string, options: ReceiverOptions) => Promise<Server>>
>
