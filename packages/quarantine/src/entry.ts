import { createHash } from 'node:crypto'

/** How sure it is that a request is genuine: 3 is authentic; of the others, how many signs of a known sender it shows. */
export type Rank = 0 | 1 | 2 | 3

/** `reserve` is for what came while deliveries were accepted under the same secret. */
export type PoolName = 'main' | 'reserve'

/** What is known of a kept request without reading its file: all of it is in the name. */
export interface Entry {
  readonly name: string
  /** When it arrived, or was signed if that is later: milliseconds since the epoch. */
  readonly at: number
  readonly pool: PoolName
  readonly rank: Rank
  /** Stands for the sender's address. */
  readonly source: string
  /** The same for the same body of the same sender to the same endpoint. */
  readonly digest: string
  /** What it takes on the disk, in blocks. */
  readonly blocks: number
}

/** What a file system gives a file at the least, in bytes. */
export const BLOCK = 4096

type Facts = Omit<Entry, 'name' | 'blocks'>

/** The entry of a file of so many bytes. Names sort by arrival. */
export function makeEntry(facts: Facts, bytes: number): Entry {
  const { at, pool, rank, source, digest } = facts
  const time = new Date(at).toISOString().replaceAll(':', '-')
  const name = `${time}-${pool}-${rank}-${source}-${digest}-${bytes}.json`
  return { ...facts, name, blocks: blocksOf(bytes) }
}

const NAME =
  /^(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d\.\d{3}Z)-(main|reserve)-([0-3])-([0-9a-f]{8})-([0-9a-f]{32})-(\d{1,15})\.json$/

/** The entry of a file name; `undefined` for a file that is none of ours. */
export function readEntry(name: string): Entry | undefined {
  const [, hour, minute, second, pool, rank, source = '', digest = '', bytes] =
    NAME.exec(name) ?? []
  if (hour === undefined) return undefined
  const at = Date.parse(`${hour}:${minute}:${second}`)
  return {
    name,
    at,
    pool: pool === 'main' ? 'main' : 'reserve',
    // One of four digits, by the pattern.
    rank: Number(rank) as Rank,
    source,
    digest,
    blocks: blocksOf(Number(bytes)),
  }
}

/** How many blocks so many bytes take. */
export function blocksOf(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / BLOCK))
}

/** So many hexadecimal digits of the SHA-256 of all parts. */
export function shortHash(digits: number, ...parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part).update('\n')
  return hash.digest('hex').slice(0, digits)
}
