import { readdirSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { signDelivery } from '@webhook-receiver/core/testing'
import { type Capture, writeCapture } from '@webhook-receiver/quarantine/internal'
import { findScheme } from '../src/options/find-scheme.ts'
import { folder } from './folder.ts'

/** A valid delivery of a service, as recorded. Its clock shows `RECORDED_AT`. */
export interface Recording extends Capture {
  readonly scheme: string
  readonly secret: string
  /** What the command needs to know of the service. */
  readonly options: readonly string[]
}

export const RECORDED_AT: number = Date.parse('2026-11-23T00:00:00Z')

const FOLDER = fileURLToPath(new URL('../../conformance/schemes/', import.meta.url))
const WITHOUT_VECTORS = ['aws-sns.json', 'published.json']

/** The recorded bodies of these have no id, without which there is no delivery: they are signed here, with these events. */
const WITHOUT_ID: Readonly<Record<string, string>> = {
  ...{ stripe: 'invoice.paid', paddle: 'transaction.paid', square: 'payment.created' },
}

/** One of each service whose key needs no look-up. */
export const RECORDINGS: readonly Recording[] = await Promise.all(
  readdirSync(FOLDER)
    .filter((file) => !WITHOUT_VECTORS.includes(file))
    .map(recordingIn),
)

async function recordingIn(file: string): Promise<Recording> {
  const { scheme: name, vectors } = JSON.parse(readFileSync(join(FOLDER, file), 'utf8'))
  const { secret, headers, body, ...plain } = vectors.find(
    (one: { name: string; valid: boolean }) => one.valid && one.name === 'plain',
  )
  const event = WITHOUT_ID[name]
  const { scheme } = await findScheme(name)
  const parts = { scheme, event, id: 'evt_1', url: plain.url, now: () => RECORDED_AT }
  const signed = event === undefined ? undefined : await signDelivery(secret, {}, parts)
  const url = plain.url === undefined ? undefined : new URL(plain.url)
  return {
    ...{ scheme: name, secret, receivedAt: RECORDED_AT, method: 'POST', httpVersion: '1.1' },
    options: ['--scheme', name, ...(url ? ['--public-url', url.origin] : [])],
    target: url ? `${url.pathname}${url.search}` : '/webhooks',
    headers: Object.entries(signed?.headers ?? headers),
    body: Buffer.from(signed?.body ?? Buffer.from(body, 'base64')),
  }
}

export function recordingOf(scheme: string): Recording {
  const found = RECORDINGS.find((recording) => recording.scheme === scheme)
  if (!found) throw new Error(`There is no recording of ${scheme}.`)
  return found
}

/** Saves a request as a capture for the length of a test; resolves to the path. */
export async function saved(capture: Capture): Promise<string> {
  const path = join(await folder(), 'capture.json')
  await writeFile(path, writeCapture(capture))
  return path
}
