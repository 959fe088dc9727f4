import { turns } from './turns.ts'

export interface Fetching {
  readonly fetch: typeof fetch
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** Numbers from 0 up to 1, such as `Math.random`. */
  readonly random: () => number
}

/** What was made of a URL, and until when it is used: milliseconds since the epoch. */
interface Loaded<Value> {
  readonly value: Value
  readonly until: number
}

/** How long a URL is not tried again after a failure. */
const PAUSE = 10_000
const MOST_KEPT = 20
const MOST_BYTES = 16_384

/**
 * Makes a function that gets what is at a URL, once for all who need it, and keeps it. Anybody can send requests that name URLs, so only a
 * few are fetched at the same time, and after a failure the URL is not tried again for a while.
 */
export function loader<Value>(
  { fetch, now, random }: Fetching,
  read: (text: string, url: string) => Loaded<Value> | Promise<Loaded<Value>>,
): (url: string) => Promise<Value> {
  // In separate maps, so that made-up URLs push out nothing that is in use.
  const loaded = new Map<string, Loaded<Value>>()
  const failed = new Map<string, { readonly cause: unknown; readonly until: number }>()
  const asked = new Map<string, Promise<Value>>()
  const inTurn = turns(random)

  async function load(url: string): Promise<Value> {
    try {
      const made = await read(await get(fetch, url), url)
      keep(loaded, url, made)
      return made.value
    } catch (cause) {
      keep(failed, url, { cause, until: now() + PAUSE })
      throw cause
    }
  }

  return async (url) => {
    const known = loaded.get(url)
    if (known && now() < known.until) return known.value
    const failure = failed.get(url)
    if (failure && now() < failure.until) throw failure.cause
    const result = asked.get(url) ?? inTurn(() => load(url)).finally(() => asked.delete(url))
    asked.set(url, result)
    return result
  }
}

/** Keeps the newest entries. */
function keep<Entry>(entries: Map<string, Entry>, url: string, entry: Entry): void {
  entries.delete(url)
  entries.set(url, entry)
  const [oldest = url] = entries.keys()
  if (entries.size > MOST_KEPT) entries.delete(oldest)
}

/** A GET without redirects, for at most 5 s and 16 KiB. */
async function get(fetching: typeof fetch, url: string): Promise<string> {
  // Not 'error', which Cloudflare Workers does not know: a redirect has another status than 200.
  const response = await fetching(url, { redirect: 'manual', signal: AbortSignal.timeout(5000) })
  if (response.status !== 200) throw new Error(`${url} responded with ${response.status}`)
  const text = await response.text()
  if (text.length > MOST_BYTES) throw new Error(`${url} is larger than ${MOST_BYTES} bytes`)
  return text
}
