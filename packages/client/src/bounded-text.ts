import { BodyBuffer } from '@webhook-receiver/core/adapter'
import { WebhookApiError, type WebhookApiErrorFacts } from './errors.ts'

/** The most that is read of an answer, in bytes. */
const LIMIT = 1_048_576

/**
 * Reads an answer as text, at most 1 MiB of it; the rest is not fetched.
 *
 * @throws WebhookApiError `answer_incomplete` where the connection fails on the way.
 */
export async function readBounded(
  response: Response,
  facts: WebhookApiErrorFacts,
): Promise<{ readonly text: string; readonly truncated: boolean }> {
  try {
    const { bytes, truncated } = await readBytes(response)
    return { text: new TextDecoder().decode(bytes), truncated }
  } catch {
    throw new WebhookApiError(
      'answer_incomplete',
      `The service began to answer ${response.status}, but the connection broke before the end.`,
      facts,
    )
  }
}

/** The bytes up to the one that is too many. Where a runtime has no streams, all of them are read. */
async function readBytes(
  response: Response,
): Promise<{ readonly bytes: Uint8Array; readonly truncated: boolean }> {
  if (!response.body) {
    const bytes = new Uint8Array(await response.arrayBuffer())
    return { bytes: bytes.subarray(0, LIMIT), truncated: bytes.length > LIMIT }
  }
  const body = new BodyBuffer(LIMIT)
  const reader = response.body.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return { bytes: body.bytes(), truncated: false }
    if (body.add(value)) continue
    reader.cancel().catch(() => {})
    return { bytes: body.bytes(), truncated: true }
  }
}
