import { join } from 'node:path'
import {
  type Application,
  type ApplicationOptions,
  startApplication,
} from '@webhook-receiver/checks/program.mjs'
import { createDelivery, signedRequest } from '@webhook-receiver/checks/signing.mjs'
import { exchange, requestHead } from '@webhook-receiver/checks/wire.mjs'
import { onTestFinished } from 'vitest'

export const SECRET = 'whsec_of_the_receivers'
export const MEBIBYTE: number = 1024 * 1024

/** Its first argument is the kind of receiver. */
export const PROGRAM: string = join(import.meta.dirname, '../receiver.mjs')

/** Starts a receiver in a process, for the length of a test. */
export async function start(
  args: readonly string[],
  options: ApplicationOptions = {},
): Promise<Application> {
  const receiver = await startApplication(args, { secret: SECRET, ...options })
  onTestFinished(() => void receiver.stop('SIGKILL'))
  return receiver
}

/** Sends a valid delivery. */
export function deliver({ port }: Application, content = {}): Promise<number | string> {
  const { headers, body } = signedRequest(SECRET, createDelivery('message.received', content))
  return exchange(port, [requestHead(headers), body])
}

/** The head of a request whose signature matches nothing. */
export function forgedHead(headers: Readonly<Record<string, string>>): string {
  return requestHead({
    'X-Webhook-Timestamp': String(Math.floor(Date.now() / 1000)),
    'X-Webhook-Signature': `sha256=${'0'.repeat(64)}`,
    ...headers,
  })
}
