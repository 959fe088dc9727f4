import { randomBytes } from 'node:crypto'
import { link, opendir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { QuarantineRecord } from '@webhook-receiver/core'
import { NAME, provenIn, writeKept } from './kept-request.ts'
import type { ResolvedOptions } from './options.ts'

/** How many requests a pool holds, the size of their files in bytes, and how many it declined because a bound was reached. */
export type PoolCounts = Readonly<Record<'entries' | 'bytes' | 'declined', number>>

/** A file that is there, or is being written. */
interface Entry {
  readonly at: number
  readonly bytes: number
  /** The number of the last reading that found it. */
  seen: number
}

/** The rate is an average over this time, so that a burst passes; a line says this often what was declined. In milliseconds. */
const [WINDOW, LINE_EVERY] = [10_000, 60_000]

/** How many requests are kept at most that differ only in what a valid signature does not prove. */
const VARIANTS = 16

/** Requests in a folder, within bounds. None goes before it expires, unless it is redriven or dropped. */
export class Pool {
  readonly #folder: string
  readonly #options: ResolvedOptions
  readonly #entries = new Map<string, Entry>()
  readonly #writing = new Map<string, Promise<void>>()
  readonly #lanes = new Map<string, Promise<unknown>>()
  readonly #variants = new Map<string, number>()
  #bytes = 0
  #readings = 0
  #window = { start: Number.NEGATIVE_INFINITY, kept: 0 }
  #declined = 0
  #line = { at: Number.NEGATIVE_INFINITY, declined: 0 }

  constructor(folder: string, options: ResolvedOptions) {
    this.#folder = folder
    this.#options = options
  }

  counts(): PoolCounts {
    return { entries: this.#entries.size, bytes: this.#bytes, declined: this.#declined }
  }

  /** Whether it is kept. The file decides: it may have been redriven or dropped since the folder was read. */
  async has(name: string): Promise<boolean> {
    if (!this.#entries.has(name) || this.#writing.has(name)) return false
    return (await look(join(this.#folder, name))) !== undefined
  }

  /** Keeps a request, unless it is kept already. False where a bound is reached. */
  async keep(name: string, record: QuarantineRecord): Promise<boolean> {
    if (await this.has(name)) return true
    const begun = this.#writing.get(name)
    if (begun) return begun.then(() => true)
    // By its body first: a flood of large ones should not cost a text of each.
    if (this.#declines(name, record.rawBody.length)) return false
    const text = writeKept(record)
    const bytes = roundUp(Buffer.byteLength(text))
    if (this.#declines(name, bytes)) return false
    // What a clock in the past rejected must not expire as soon as the clock is right.
    const entry = { at: Math.max(record.at, record.signedAt ?? 0), bytes, seen: 0 }
    this.#add(name, entry)
    this.#window.kept += 1
    // One after the other in 16 lanes, by the first digit: a process may have few descriptors.
    const lane = name.slice(0, 1)
    const before = this.#lanes.get(lane) ?? Promise.resolve()
    const written = before.then(() => create(join(this.#folder, name), text, entry.at))
    this.#writing.set(name, written)
    try {
      this.#lanes.set(lane, Promise.allSettled([written]))
      await written
    } catch (error) {
      this.#remove(name)
      throw error
    } finally {
      entry.seen = this.#readings
      this.#writing.delete(name)
    }
    return true
  }

  /** Learns what other processes have kept and removed, and removes what has expired. */
  async read(): Promise<void> {
    const { retention, now } = this.#options
    this.#readings += 1
    // A few names at a time: other work is done in between.
    for await (const { name } of await opendir(this.#folder)) {
      const path = join(this.#folder, name)
      const entry = this.#entries.get(name) ?? (await look(path))
      if (!entry) continue
      if (entry.at < now() - retention * 1000) await removeFile(path)
      else if (NAME.test(name)) this.#add(name, Object.assign(entry, { seen: this.#readings }))
    }
    for (const [name, { seen }] of this.#entries)
      if (seen < this.#readings && !this.#writing.has(name)) this.#remove(name)
  }

  #add(name: string, entry: Entry): void {
    this.#remove(name)
    this.#entries.set(name, entry)
    this.#count(name, entry, 1)
  }

  #remove(name: string): void {
    const entry = this.#entries.get(name)
    if (entry && this.#entries.delete(name)) this.#count(name, entry, -1)
  }

  #count(name: string, { bytes }: Entry, sign: 1 | -1): void {
    const proven = provenIn(name)
    const variants = this.#variantsOf(name) + sign
    if (variants === 0) this.#variants.delete(proven)
    else this.#variants.set(proven, variants)
    this.#bytes += sign * bytes
  }

  #variantsOf(name: string): number {
    return this.#variants.get(provenIn(name)) ?? 0
  }

  /** Whether there is no room for a request of so many bytes. */
  #declines(name: string, bytes: number): boolean {
    const reason = this.#reasonAgainst(name, bytes)
    if (reason === undefined) return false
    const at = performance.now()
    this.#declined += 1
    if (at - this.#line.at >= LINE_EVERY) {
      const count = this.#declined - this.#line.declined
      this.#line = { at, declined: this.#declined }
      console.error(
        `[webhook-receiver] The quarantine did not keep ${count} of the rejected requests, because ${reason}: ${this.#folder}`,
      )
    }
    return true
  }

  #reasonAgainst(name: string, bytes: number): string | undefined {
    const { maxEntries, maxBytes, rate } = this.#options
    const at = performance.now()
    if (at - this.#window.start >= WINDOW) this.#window = { start: at, kept: 0 }
    if (this.#entries.size >= maxEntries || this.#bytes + bytes > maxBytes) return 'it is full'
    if (this.#window.kept >= (rate * WINDOW) / 1000) return 'they came faster than its rate'
    if (this.#variantsOf(name) < VARIANTS) return undefined
    return `it has ${VARIANTS} with the same signed body`
  }
}

/** Creates a complete file that only its owner can read. Where another process was faster, its file stays. */
async function create(path: string, text: string, at: number): Promise<void> {
  // If the process is killed, the draft stays until it expires.
  const draft = `${path}.${randomBytes(4).toString('hex')}.part`
  try {
    await writeFile(draft, text, { mode: 0o600 })
    await utimes(draft, at / 1000, at / 1000)
    await link(draft, path).catch(async ({ code }) => {
      if (code === 'EEXIST' || (await look(path))) return
      // Some file systems have no hard links.
      await rename(draft, path)
    })
  } finally {
    await removeFile(draft)
  }
}

async function look(path: string): Promise<Entry | undefined> {
  const stats = await stat(path).catch(() => undefined)
  return stats && { at: stats.mtimeMs, bytes: roundUp(stats.size), seen: 0 }
}

/** A file that cannot be removed must not stop us from keeping others. The next reading tries again. */
export async function removeFile(path: string): Promise<void> {
  await rm(path, { force: true }).catch(() => {})
}

/** A file system gives a file whole blocks. */
function roundUp(size: number): number {
  return Math.ceil(size / 4096) * 4096
}
