import { createHmac } from 'node:crypto'
import { EVENTS } from '@webhook-receiver/core'
import { onTestFinished } from 'vitest'
import { createEmulator, type Emulator, type EmulatorOptions } from '../src/index.ts'
import type { Arrival } from './raw-receiver.ts'

/** An emulator that runs until the test is over, and hardly waits. */
export async function emulate(options: Partial<EmulatorOptions> = {}): Promise<Emulator> {
  const hasty = { retries: [0.001, 0.005, 0.03], faultDelay: 0.002 }
  const emulator = createEmulator({ apiKey: 'local-key', ...hasty, ...options })
  await emulator.start()
  onTestFinished(() => emulator.stop())
  return emulator
}

/** Registers a webhook for all seven events, and gives its secret. */
export function secretFor(emulator: Emulator, url: string): string {
  return emulator.register({ url, events: EVENTS }).secret
}

/** Verifies with nothing of this project. */
export function isSigned({ headers, body }: Arrival, secret: string): boolean {
  const mac = createHmac('sha256', secret)
  mac.update(`${headers['x-webhook-timestamp']}.`).update(body)
  return headers['x-webhook-signature'] === `sha256=${mac.digest('hex')}`
}

/** The body's `id`. */
export function idOf({ body }: Arrival): unknown {
  return JSON.parse(body.toString()).id
}
