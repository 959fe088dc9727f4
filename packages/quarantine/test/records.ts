import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  createReceiver,
  type Quarantine,
  type QuarantineRecord,
  WebhookError,
} from '@webhook-receiver/core'
import { sampleDelivery, signDelivery } from '@webhook-receiver/core/testing'
import { onTestFinished, vi } from 'vitest'

export const RIGHT = 'whsec_right'
export const WRONG = 'whsec_wrong'

export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'quarantine-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return join(folder, 'kept')
}

export interface Sent {
  readonly id: string
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

let count = 0

/** A delivery with an id of its own, signed with `secret` for `at`. */
export async function delivery(
  secret: string,
  { at = Date.now(), instance = 'instance-1' }: { at?: number; instance?: string } = {},
): Promise<Sent> {
  count += 1
  const id = `00000000-0000-4000-8000-${String(count).padStart(12, '0')}`
  const body = JSON.stringify(sampleDelivery('message.received', { id, instanceId: instance }))
  const { headers } = await signDelivery(secret, Buffer.from(body), { now: () => at })
  return { id, body, headers: { ...headers } }
}

/** What a receiver gives to a quarantine: a request of its own, whose file takes so many blocks of 4,096 bytes. */
export function record({
  instance = 'instance-1',
  blocks = 1,
  address,
  url = '/webhooks',
  ...facts
}: Partial<QuarantineRecord> & {
  instance?: string
  blocks?: number
  address?: string | undefined
  url?: string | undefined
} = {}): QuarantineRecord {
  count += 1
  const data = { instance_id: instance, count, padding: 'x'.repeat((blocks - 1) * 4096) }
  return {
    at: Date.now(),
    reason: 'signature_mismatch',
    status: 401,
    authentic: false,
    method: 'POST',
    headers: [],
    rawBody: Buffer.from(JSON.stringify({ data })),
    remote: { address, url },
    secrets: [],
    keys: [],
    ...facts,
  }
}

/** Stops the clock of the quarantine for its looks at the folder. Returns what lets so many milliseconds pass. */
export function stopClock(): (milliseconds: number) => void {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  return (milliseconds) => void vi.advanceTimersByTime(milliseconds)
}

/** Sends to a receiver of `secret` with the quarantine, from `address`. Resolves to 204 or the status of the error. */
export function sender(
  quarantine: Quarantine,
  secret: string,
  now: () => number = Date.now,
): (sent: Sent, address?: string, url?: string) => Promise<number> {
  const receiver = createReceiver<undefined>(secret, { quarantine, now, onRejected: false })
  return async ({ body, headers }, address, url = '/webhooks') => {
    const lower = new Map(
      Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
    )
    try {
      await receiver.receive({
        method: 'POST',
        header: (name) => lower.get(name),
        readBody: () => Buffer.from(body),
        context: undefined,
        remote: () => ({ address, url }),
        headers: () => Object.entries(headers),
      })
      return 204
    } catch (error) {
      if (error instanceof WebhookError) return error.status
      throw error
    }
  }
}
