import type { AttemptView } from '../src/delivery-view.ts'

/** Paths are relative to the page, whose address has the token. */
async function ask(path: string, init?: RequestInit): Promise<unknown> {
  const response = await fetch(`./api/${path}`, init)
  const value: unknown = await response.json().catch(() => ({}))
  if (response.ok) return value
  throw new Error(Object(value).message ?? `The inspector responded with ${response.status}.`)
}

export function post(path: string, value: object = {}): Promise<unknown> {
  return ask(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(value),
  })
}

/** The newest attempt without `attempt`. */
export async function loadAttempt(
  n: number,
  attempt: number | undefined,
  signal: AbortSignal,
): Promise<AttemptView> {
  const query = attempt === undefined ? '' : `&attempt=${attempt}`
  // The server and the page are of one version.
  return (await ask(`attempt?n=${n}${query}`, { signal })) as AttemptView
}

export async function loadSample(
  event: string,
  signal: AbortSignal | null = null,
): Promise<string> {
  const sample = await ask(`sample?event=${encodeURIComponent(event)}`, { signal })
  return String(Object(sample).text)
}

export async function isReady(signal: AbortSignal): Promise<boolean> {
  return Object(await ask('ready', { signal })).ready === true
}

/** The numbers of the deliveries that have a text in their headers or bodies. */
export async function search(text: string, signal: AbortSignal): Promise<ReadonlySet<number>> {
  const { found } = Object(await ask(`search?text=${encodeURIComponent(text)}`, { signal }))
  return new Set<number>(found)
}

export async function send(command: object): Promise<number> {
  return Number(Object(await post('send', command)).n)
}

export function captureAddress(n: number, attempt: number): string {
  return `./api/capture?n=${n}&attempt=${attempt}`
}
