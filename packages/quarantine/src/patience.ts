import { wait } from '@webhook-receiver/core/internal'

/** How often one request is passed on at most, and the longest `Retry-After` that is waited for, in seconds. */
const [ATTEMPTS, LONGEST] = [5, 300]

/** Whether the receiver handles nothing at the moment: 429 or 503, also of a `WebhookError`. Another delivery would fail too. */
export function isBusy(error: unknown): boolean {
  return [429, 503].includes(Object(error).status)
}

/** Runs `work` again as long as it fails because the receiver is busy, and says when to come back. */
export async function withPatience(
  work: () => Promise<unknown>,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      const seconds = isBusy(error) ? retryAfter(error) : undefined
      if (seconds === undefined || seconds > LONGEST || attempt === ATTEMPTS) throw error
      await wait(seconds * 1000, signal)
      if (signal?.aborted) throw error
    }
  }
}

/** In seconds; `undefined` without a readable `Retry-After` (RFC 9110, section 10.2.3). */
function retryAfter(error: unknown): number | undefined {
  const { headers = {} } = Object(error)
  const value = Object.entries(headers).find(([name]) => /^retry-after$/i.test(name))?.[1]
  if (/^\d+$/.test(String(value))) return Number(value)
  const at = Date.parse(String(value))
  return Number.isNaN(at) ? undefined : Math.max(0, (at - Date.now()) / 1000)
}
