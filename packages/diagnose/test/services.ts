import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import {
  box,
  github,
  hubspot,
  linear,
  sendgrid,
  slack,
  square,
  standardWebhooks,
  stripe,
  twilio,
  twitch,
} from '@webhook-receiver/schemes'
import type { DiagnosisInput } from '../src/index.ts'

const SCHEMES = {
  box,
  github,
  hubspot,
  linear,
  sendgrid,
  slack,
  square,
  standardWebhooks,
  stripe,
  twilio,
  twitch,
}

export type Service = keyof typeof SCHEMES

/** A valid request, as recorded with the service's own SDK, that the receiver got in some other way. */
export function recorded(
  service: Service,
  change: Partial<DiagnosisInput> & { readonly changed?: Readonly<Record<string, string>> } = {},
): DiagnosisInput & { readonly body: Uint8Array; readonly secrets: string } {
  const { changed, ...input } = change
  const file = service.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  const url = new URL(`../../conformance/schemes/${file}.json`, import.meta.url)
  const { vectors } = JSON.parse(readFileSync(fileURLToPath(url), 'utf8'))
  const plain = vectors.find(
    (one: { name: string; valid: boolean }) => one.valid && one.name === 'plain',
  )
  return {
    secrets: plain.secret,
    url: plain.url,
    scheme: SCHEMES[service],
    ...input,
    headers: { ...(input.headers ?? plain.headers), ...changed },
    body: input.body ?? Uint8Array.from(Buffer.from(plain.body, 'base64')),
  }
}
