import { createHmac } from 'node:crypto'
import { EVENTS } from '@webhook-receiver/core'
import { onTestFinished } from 'vitest'
import { createEmulator, type Emulator, type EmulatorOptions } from '../src/index.ts'
import { type Arrival, receiveRaw } from './raw-receiver.ts'

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

/** An emulator with a webhook for all events, and its receiver. */
export async function emulating(
  options: Partial<EmulatorOptions> = {},
  reply?: Parameters<typeof receiveRaw>[0],
) {
  const [receiver, emulator] = [await receiveRaw(reply), await emulate(options)]
  return { receiver, emulator, secret: secretFor(emulator, receiver.url) }
}

/** Verifies with nothing of this project. */
export function isSigned({ headers, body }: Arrival, secret: string): boolean {
  const mac = createHmac('sha256', secret)
  mac.update(`${headers['x-webhook-timestamp']}.`).update(body)
  return headers['x-webhook-signature'] === `sha256=${mac.digest('hex')}`
}

/** What a receiver waits for. */
export function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}
