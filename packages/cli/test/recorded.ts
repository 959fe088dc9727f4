import { createHmac } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Capture, writeCapture } from '@webhook-receiver/quarantine/internal'
import { folder } from './folder.ts'

/** A valid delivery of a service, signed by its own SDK, or by hand as its documentation says. Its clock shows `RECORDED_AT`. */
export interface Recording extends Capture {
  readonly scheme: string
  readonly secret: string
  /** What the command needs to know of the service. */
  readonly options: readonly string[]
}

export const RECORDED_AT: number = Date.parse('2026-11-23T00:00:00Z')

const FOLDER = fileURLToPath(new URL('../../conformance/schemes/', import.meta.url))
const WITHOUT_VECTORS = ['aws-sns.json', 'published.json']

const TIME = `${RECORDED_AT / 1000}`
const SIGNED_URL = 'https://example.com/webhooks?tenant=7'

/** The recorded bodies of these have no id, without which there is no delivery. */
const BY_HAND: Readonly<Record<string, (secret: string) => Pick<Capture, 'headers' | 'body'>>> = {
  stripe(secret) {
    const body = '{"id":"evt_1","type":"invoice.paid","data":{}}'
    const mac = createHmac('sha256', secret).update(`${TIME}.${body}`).digest('hex')
    return { headers: [['stripe-signature', `t=${TIME},v1=${mac}`]], body: Buffer.from(body) }
  },
  paddle(secret) {
    const body = '{"event_id":"evt_1","event_type":"transaction.paid","data":{}}'
    const mac = createHmac('sha256', secret).update(`${TIME}:${body}`).digest('hex')
    return { headers: [['paddle-signature', `ts=${TIME};h1=${mac}`]], body: Buffer.from(body) }
  },
  square(secret) {
    const body = '{"event_id":"evt_1","type":"payment.created","data":{}}'
    const mac = createHmac('sha256', secret).update(`${SIGNED_URL}${body}`).digest('base64')
    return { headers: [['x-square-hmacsha256-signature', mac]], body: Buffer.from(body) }
  },
}

/** One of each service whose key needs no look-up. */
export const RECORDINGS: readonly Recording[] = readdirSync(FOLDER)
  .filter((file) => !WITHOUT_VECTORS.includes(file))
  .map((file) => {
    const { scheme, vectors } = JSON.parse(readFileSync(join(FOLDER, file), 'utf8'))
    const plain = vectors.find(
      (one: { name: string; valid: boolean }) => one.valid && one.name === 'plain',
    )
    const url = plain.url === undefined ? undefined : new URL(plain.url)
    return {
      scheme,
      secret: plain.secret,
      options: ['--scheme', scheme, ...(url ? ['--public-url', url.origin] : [])],
      receivedAt: RECORDED_AT,
      method: 'POST',
      target: url ? `${url.pathname}${url.search}` : '/webhooks',
      httpVersion: '1.1',
      headers: Object.entries(plain.headers),
      body: Buffer.from(plain.body, 'base64'),
      ...BY_HAND[scheme]?.(plain.secret),
    }
  })

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
