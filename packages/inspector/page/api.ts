import type { AttemptView } from '../src/delivery-view.ts'

/** Paths are relative to the page, whose address has the token. */
async function ask(path: string, init?: RequestInit): Promise<unknown> {
  const response = await fetch(`./api/${path}`, init)
  const value: unknown = await response.json().catch(() => ({}))
  if (response.ok) return value
  const known = typeof value === 'object' && value !== null && 'message' in value
  throw new Error(known ? String(value.message) : `The inspector answered ${response.status}.`)
}

export function post(path: string, value: object = {}): Promise<unknown> {
  return ask(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(value),
  })
}

/** The newest attempt without `attempt`. */
export async function loadAttempt(n: number, attempt?: number): Promise<AttemptView> {
  const query = attempt === undefined ? '' : `&attempt=${attempt}`
  // The server and the page are of one version.
  return (await ask(`attempt?n=${n}${query}`)) as AttemptView
}

export async function loadSample(event: string): Promise<string> {
  return JSON.stringify(await ask(`sample?event=${encodeURIComponent(event)}`), null, 2)
}

export async function send(command: object): Promise<number> {
  const answer = await post('send', command)
  return typeof answer === 'object' && answer !== null && 'n' in answer ? Number(answer.n) : 0
}

export function captureAddress(n: number, attempt: number): string {
  return `./api/capture?n=${n}&attempt=${attempt}`
}
