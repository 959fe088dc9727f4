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
    const bytes = await readBytes(response)
    const truncated = bytes.length > LIMIT
    return { text: new TextDecoder().decode(bytes.subarray(0, LIMIT)), truncated }
  } catch {
    throw new WebhookApiError(
      'answer_incomplete',
      `The service began to answer ${response.status}, and the connection failed before the end.`,
      facts,
    )
  }
}

/** The bytes up to the one that is too many. Where a runtime has no streams, all of them. */
async function readBytes(response: Response): Promise<Uint8Array> {
  if (!response.body) return new Uint8Array(await response.arrayBuffer())
  const chunks: Uint8Array[] = []
  let length = 0
  const reader = response.body.getReader()
  while (length <= LIMIT) {
    const { done, value } = await reader.read()
    if (done) break
    chunks.push(value)
    length += value.length
  }
  if (length > LIMIT) reader.cancel().catch(() => {})
  return joined(chunks, length)
}

function joined(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.length
  }
  return bytes
}
