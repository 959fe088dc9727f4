import { describeError } from '../validate/describe.ts'
import { isError } from '../validate/error.ts'
import { turns } from './turns.ts'

export interface LoaderOptions {
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** Numbers from 0 up to 1, such as `Math.random`. */
  readonly random: () => number
}

/** What was loaded by a name. Times are in milliseconds since the epoch. */
interface Loaded<Value> {
  readonly value: Value
  /** Until when it is used. */
  readonly until: number
  /** From when it is loaded again, and used only while that fails. Default: never. */
  readonly staleFrom?: number | undefined
}

/** Gets what has a name. What is known but not `isEnough` is loaded again, at most every 30 s. */
export type Loader<Value> = (name: string, isEnough?: (value: Value) => boolean) => Promise<Value>

/** What a load throws for a name that does not exist, or no longer: what was kept of it is dropped. */
export class NotThere extends Error {}

/** How long a name is not tried again after a failure. */
const PAUSE = 10_000
/** How long what is not enough is not loaded again. */
const COOLDOWN = 30_000
const MOST_KEPT = 20

interface Kept<Value> extends Loaded<Value> {
  readonly since: number
}

/**
 * Makes a function that loads what has a name, once for all who need it, and keeps it. Anybody can send requests with other names, so only
 * a few are loaded at the same time, and after a failure the name is not tried again for a while.
 */
export function loader<Value>(
  { now, random }: LoaderOptions,
  load: (name: string) => Promise<Loaded<Value>>,
): Loader<Value> {
  // In separate maps, so that made-up names push out nothing that is in use.
  const loaded = new Map<string, Kept<Value>>()
  const failed = new Map<string, { readonly cause: unknown; readonly since: number }>()
  const asked = new Map<string, Promise<Value>>()
  const inTurn = turns(random)
  // There, a request cannot wait for what another one has begun.
  const shares = globalThis.navigator?.userAgent !== 'Cloudflare-Workers'

  async function attempt(name: string): Promise<Value> {
    try {
      const found = await load(name)
      failed.delete(name)
      keepNewest(loaded, name, { ...found, since: now() })
      return found.value
    } catch (cause) {
      if (cause instanceof NotThere) loaded.delete(name)
      keepNewest(failed, name, { cause, since: now() })
      throw cause
    }
  }

  function loadOnce(name: string): Promise<Value> {
    const failure = failed.get(name)
    if (failure && isWithin(PAUSE, failure.since, now())) return Promise.reject(failure.cause)
    const result = asked.get(name) ?? inTurn(() => attempt(name)).finally(() => asked.delete(name))
    if (shares) asked.set(name, result)
    return result
  }

  return async (name, isEnough = () => true) => {
    const time = now()
    const kept = loaded.get(name)
    if (!kept || time >= kept.until) return loadOnce(name)
    const isWanted = isEnough(kept.value)
    const { staleFrom = kept.until } = kept
    const wait = isWanted ? staleFrom - kept.since : COOLDOWN
    if (isWithin(wait, kept.since, time)) return kept.value
    if (!isWanted) return loadOnce(name)
    return loadOnce(name).catch((cause) => {
      if (cause instanceof NotThere) throw cause
      return kept.value
    })
  }
}

/** Also false if the clock was set back: what a wrong clock made fail, such as a TLS handshake, must not wait until that time comes again. */
function isWithin(span: number, since: number, time: number): boolean {
  return time >= since && time < since + span
}

/** Keeps the newest entries: anybody can send requests with others. */
export function keepNewest<Entry>(entries: Map<string, Entry>, name: string, entry: Entry): void {
  entries.delete(name)
  entries.set(name, entry)
  const [oldest = name] = entries.keys()
  if (entries.size > MOST_KEPT) entries.delete(oldest)
}

/** A GET without redirects, for at most 5 s and `most` bytes. */
export async function getText(fetching: typeof fetch, url: string, most: number): Promise<string> {
  const response = await asked(fetching, url)
  const reader = response.body?.getReader()
  // A query may hold a token.
  const place = url.replace(/\?.*/s, '')
  try {
    if (response.status !== 200) throw new Error(`${place} responded with ${response.status}`)
    const decoder = new TextDecoder()
    let [text, length] = ['', 0]
    for (let read = await reader?.read(); read?.value; read = await reader?.read()) {
      length += read.value.length
      if (length > most) throw new Error(`${place} is larger than ${most} bytes`)
      text += decoder.decode(read.value, { stream: true })
    }
    return text + decoder.decode()
  } finally {
    // What is left would keep its connection.
    reader?.cancel().catch(() => {})
  }
}

async function asked(fetching: typeof fetch, url: string): Promise<Response> {
  try {
    // Not 'error', which Cloudflare Workers does not know: a redirect has another status than 200.
    return await fetching(url, { redirect: 'manual', signal: AbortSignal.timeout(5000) })
  } catch (cause) {
    const why = isError(cause) ? describeError(cause) : 'it gave no reason'
    throw new Error(`${new URL(url).host}: ${why}`, { cause })
  }
}
