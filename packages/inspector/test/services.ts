import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** When the recorded requests were signed, in milliseconds. */
export const SIGNED_AT = 1_795_392_000_000

/** A valid request, as recorded with the service's own SDK. */
export function recordedRequest(service: string) {
  const path = new URL(`../../conformance/schemes/${service}.json`, import.meta.url)
  const { vectors } = JSON.parse(readFileSync(fileURLToPath(path), 'utf8'))
  const { secret, url, headers, body } = vectors.find(
    (one: { name: string; valid: boolean }) => one.valid && one.name === 'plain',
  )
  const { origin, pathname, search } = new URL(url ?? 'https://example.com/webhooks')
  return {
    secret: String(secret),
    publicUrl: url ? origin : undefined,
    request: {
      ...{ at: SIGNED_AT, method: 'POST', target: pathname + search, httpVersion: '1.1' },
      ...{ status: 204, duration: 1, headers: Object.entries<string>(headers) },
      body: Buffer.from(body, 'base64'),
    },
  }
}
