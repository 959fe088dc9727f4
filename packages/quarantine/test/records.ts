import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  createReceiver,
  type Quarantine,
  type QuarantineRecord,
  type ReceiverOptions,
  WebhookError,
} from '@webhook-receiver/core'
import { sampleDelivery, signDelivery } from '@webhook-receiver/core/testing'
import { onTestFinished, vi } from 'vitest'
import { folderQuarantine } from '../src/index.ts'
import { listKept, openKept } from '../src/internal.ts'
import type { KeptRequest } from '../src/kept-request.ts'

export const RIGHT = 'whsec_right'
export const WRONG = 'whsec_wrong'

/** The address of the service, and one of somebody else. */
export const SERVICE = '192.0.2.1'
export const STRANGER = '198.51.100.1'

export const DAY = 86_400_000

export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'quarantine-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return join(folder, 'kept')
}

let count = 0

/** What a receiver passes to a quarantine: a request with a body of its own. */
export function record(facts: Partial<QuarantineRecord> = {}): QuarantineRecord {
  count += 1
  return {
    at: Date.now(),
    endpoint: 'default',
    perTenant: false,
    reason: 'signature_mismatch',
    status: 401,
    signatureValid: false,
    signedAt: undefined,
    method: 'POST',
    target: '/webhooks',
    headers: [],
    rawBody: Buffer.from(`{"count":${count}}`),
    address: STRANGER,
    secrets: [],
    ...facts,
  }
}

/** How many files each pool has. */
export async function files(folder: string): Promise<{ trusted: number; other: number }> {
  const names = await listKept(folder)
  const trusted = names.filter((name) => name.startsWith('trusted/')).length
  return { trusted, other: names.length - trusted }
}

/** Every request that is kept, in the order of arrival. */
export async function openAll(folder: string): Promise<KeptRequest[]> {
  return Promise.all((await listKept(folder)).map((name) => openKept(folder, name)))
}

/** Tries until a check succeeds. */
export function eventually(check: () => Promise<void>): Promise<void> {
  return vi.waitFor(check, { timeout: 120_000, interval: 5 })
}

/** Resolves when the addresses of so many senders are written. */
export function sendersWritten(folder: string, many: number): Promise<void> {
  return eventually(async () => {
    if ((await readdir(join(folder, 'senders'))).length !== many) throw new Error('not yet')
  })
}

/** Stops the clock of the quarantine for its bounds and readings. Returns what lets so many milliseconds pass. */
export function stopClock(): (milliseconds: number) => void {
  // No fake timers: each try of `vi.waitFor` would let their time pass.
  // Whole, so that sums of it are exact.
  let time = Math.ceil(performance.now())
  vi.spyOn(performance, 'now').mockImplementation(() => time)
  return (milliseconds) => {
    time += milliseconds
  }
}

export interface Sent {
  readonly id: string
  readonly body: string | Uint8Array
  readonly headers: Readonly<Record<string, string>>
  /** '/webhooks' if it is not given. */
  readonly url?: string
}

/** A delivery with an id of its own, signed with `secret` for `at`. */
export async function delivery(
  secret: string,
  { at = Date.now(), body }: { at?: number; body?: string } = {},
): Promise<Sent & { readonly body: string }> {
  count += 1
  const id = `00000000-0000-4000-8000-${String(count).padStart(12, '0')}`
  const text = body ?? JSON.stringify(sampleDelivery('message.received', { id }))
  const { headers } = await signDelivery(secret, Buffer.from(text), { now: () => at })
  return { id, body: text, headers: { ...headers, 'X-Forwarded-User': 'admin' } }
}

/** Sends to a receiver of `secret` with the quarantine. Resolves to 204 or the status of the error. */
export function sender(
  quarantine: Quarantine,
  secret: string,
  options: ReceiverOptions = {},
): (sent: Sent, address?: string) => Promise<number> {
  const receiver = createReceiver<undefined>(secret, { quarantine, onRejected: false, ...options })
  return async ({ body, headers, url = '/webhooks' }, address) => {
    const lookup = new Headers(headers)
    try {
      await receiver.receive({
        method: 'POST',
        header: (name) => lookup.get(name),
        readBody: () => Buffer.from(body),
        context: undefined,
        remote: () => ({ address, url }),
      })
      return 204
    } catch (error) {
      if (error instanceof WebhookError) return error.status
      throw error
    }
  }
}

/** A folder in which a receiver with the wrong secret has kept so many deliveries, and their ids in the order of arrival. */
export async function withDeliveries(many: number) {
  const folder = await temporaryFolder()
  const quarantine = folderQuarantine(folder)
  const send = (sent: Sent, options = {}) => sender(quarantine, WRONG, options)(sent)
  let time = Date.now() - 1000
  const ids: string[] = []
  for (let index = 0; index < many; index++) {
    const one = await delivery(RIGHT)
    ids.push(one.id)
    await send(one, { now: () => time++ })
  }
  return { folder, send, ids }
}
