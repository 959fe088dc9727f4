import { accessSync, constants, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Quarantine, QuarantineRecord } from '@webhook-receiver/core'
import { readTimestamp } from '@webhook-receiver/core/signature'
import {
  BLOCK,
  blocksOf,
  type Entry,
  makeEntry,
  type PoolName,
  type Rank,
  readEntry,
  shortHash,
} from './entry.ts'
import { writeKept } from './kept-request.ts'
import { knownSenders } from './known-senders.ts'
import { checkFolder, type FolderQuarantineOptions, resolveOptions } from './options.ts'
import { createPool, type Pool } from './pool.ts'
import { createRate } from './rate.ts'
import { DRAFT, replaceFile } from './replace-file.ts'
import { sourceOf, UNKNOWN } from './source.ts'
import { createTurns } from './turns.ts'

/** A quarantine in a folder. */
export interface FolderQuarantine extends Quarantine {
  /** Writes the known senders that are not written yet. You do not have to call it: kept requests are in the folder before
   * they are answered. */
  close(): Promise<void>
}

/** The reserve has so much of `maxBytes`. */
const RESERVE_SHARE = 0.1

/** Looks so often at most for what other processes and `redrive` did with the folder, in milliseconds. */
const LOOK_EVERY = 1000
const EXPIRE_EVERY = 3_600_000

/** Asks so often at most for the address of an accepted delivery, in milliseconds. */
const ADDRESS_EVERY = 100

/** A draft that is older was left by a killed process, in milliseconds. */
const DRAFT_LIFETIME = 60_000

/** So many files are written at the same time. */
const WRITES = 16

/** Where so many of rank 0, or of rank 1, wait for a slow disk, more of that rank are declined. */
const MOST_WAITING = 256

/**
 * Keeps requests in a folder of captures that only its owner can read.
 *
 * @throws TypeError for an invalid option.
 * @throws Error if the folder cannot be created or written, or others can read it.
 *
 * @example
 * app.post('/webhooks', webhookMiddleware(secret, { quarantine: folderQuarantine('./quarantine') }), handler)
 */
export function folderQuarantine(
  folder: string,
  options: FolderQuarantineOptions = {},
): FolderQuarantine {
  const directory = prepareFolder(checkFolder(folder))
  const { maxBytes, maxEntries, rate, reserve, quiet, retention, now } = resolveOptions(options)
  const blocks = Math.floor(maxBytes / BLOCK)
  const reserved = Math.min(reserve, Math.floor(maxEntries / 2))
  const reservedBlocks = reserved === 0 ? 0 : Math.floor(blocks * RESERVE_SHARE)
  const pools: Readonly<Record<PoolName, Pool>> = {
    main: createPool({ entries: maxEntries - reserved, blocks: blocks - reservedBlocks }),
    reserve: createPool({ entries: reserved, blocks: reservedBlocks }),
  }
  const senders = knownSenders(directory)
  const takePermit = createRate(rate)
  const takeTurn = createTurns(WRITES)
  const waiting: Record<Rank, number> = { 0: 0, 1: 0, 2: 0, 3: 0 }
  /** By digest, so that a copy is not kept twice. */
  const kept = new Map<string, Kept>()
  const unsettled = new Map<string, number>()
  const lastAccepted = new WeakMap<object, number>()
  let lastSigned = Number.NEGATIVE_INFINITY
  let lastAddress = Number.NEGATIVE_INFINITY
  let lastLook = performance.now()

  reconcile(readdirSync(directory), performance.now())
  // Where the folder has gone, the next request that cannot be kept says so.
  const timer = setInterval(() => void look().catch(() => {}), EXPIRE_EVERY).unref()

  function poolFor({ authentic, keys, at }: QuarantineRecord): PoolName {
    if (authentic) return 'main'
    // In both directions: a clock that was set back would seem to accept for all that time.
    const accepting = keys.some(
      (key) => Math.abs(at - (lastAccepted.get(key) ?? Number.NaN)) < quiet * 1000,
    )
    return accepting ? 'reserve' : 'main'
  }

  function rankOf({ authentic, at }: QuarantineRecord, instance: string, address: string): Rank {
    if (authentic) return 3
    const signs = [
      senders.knows('address', address, at),
      senders.knows('instance', instance, at),
    ].filter(Boolean).length
    return signs === 2 ? 2 : signs === 1 ? 1 : 0
  }

  /**
   * When a request arrived; what is authentic did not arrive before it was signed, whatever the receiver's clock showed. So it is
   * not too old to be kept as soon as a clock that was behind is right again.
   */
  function arrivalOf(record: QuarantineRecord): number {
    const signed = record.authentic ? signedAt(record) : undefined
    if (signed === undefined || signed <= record.at) return record.at
    // Most are signed by the second, and names have to sort by arrival.
    const next = lastSigned + 1
    lastSigned = next - signed < 60_000 ? Math.max(next, signed) : signed
    return lastSigned
  }

  async function write(entry: Entry, gone: readonly Kept[], text: string): Promise<void> {
    try {
      // Before the turn: what is waited for needs one too.
      await Promise.allSettled(gone.map(({ written }) => written))
      await takeTurn(async () => {
        // First, so that the folder is never over its bound.
        await Promise.all(
          gone.map(({ entry: { name } }) => rm(join(directory, name), { force: true })),
        )
        // Something better may have taken its place in the meantime.
        if (kept.get(entry.digest)?.entry === entry) {
          await replaceFile(join(directory, entry.name), text)
        }
      })
    } catch (error) {
      forget(entry)
      throw error
    } finally {
      unsettled.set(entry.name, performance.now())
    }
    if (kept.get(entry.digest)?.entry !== entry) {
      await rm(join(directory, entry.name), { force: true })
    }
  }

  function forget(entry: Entry): void {
    pools[entry.pool].remove(entry)
    if (kept.get(entry.digest)?.entry === entry) kept.delete(entry.digest)
  }

  /** Learns what other processes have kept, and what was redriven or dropped. */
  async function look(): Promise<void> {
    lastLook = performance.now()
    const begun = lastLook
    reconcile(await readdir(directory), begun)
  }

  function reconcile(names: readonly string[], begun: number): void {
    removeOldDrafts(directory, names)
    const there = new Set(names)
    for (const { entry } of [...kept.values()]) {
      // What was being written while the folder was read may be missing in the list.
      const settled = unsettled.get(entry.name) ?? Number.NEGATIVE_INFINITY
      if (!there.has(entry.name) && settled < begun) forget(entry)
    }
    for (const [name, at] of unsettled) if (at < begun) unsettled.delete(name)
    const known = new Set([...kept.values()].map(({ entry }) => entry.name))
    const oldest = now() - retention * 1000
    const gone: Entry[] = []
    for (const name of names) {
      const entry = known.has(name) || unsettled.has(name) ? undefined : readEntry(name)
      if (!entry) continue
      const copy = kept.get(entry.digest)?.entry
      // Two processes were sent the same request: they have to agree on which file goes.
      if (entry.at < oldest || (copy && copy.name < name)) {
        gone.push(entry)
        continue
      }
      if (copy) {
        forget(copy)
        gone.push(copy)
      }
      pools[entry.pool].add(entry)
      kept.set(entry.digest, settled(entry))
    }
    const expired = [...kept.values()].flatMap(({ entry }) => (entry.at < oldest ? [entry] : []))
    for (const entry of expired) forget(entry)
    gone.push(...expired)
    for (const pool of Object.values(pools)) {
      for (const entry of pool.trim()) {
        kept.delete(entry.digest)
        gone.push(entry)
      }
    }
    for (const { name } of gone) removeIfPossible(join(directory, name))
  }

  return {
    accepted({ key, instanceId, remote }) {
      const time = now()
      lastAccepted.set(key, time)
      senders.learn('instance', instanceId, time)
      if (time - lastAddress < ADDRESS_EVERY && time >= lastAddress) return
      lastAddress = time
      const address = sourceOf(remote().address)
      if (address !== UNKNOWN) senders.learn('address', address, time)
    },

    async keep(record) {
      const instance = instanceIn(record.rawBody)
      // No secret makes a delivery of it.
      if (!record.authentic && instance === undefined) return false
      if (performance.now() - lastLook > LOOK_EVERY) await look()
      const address = sourceOf(record.remote.address)
      const digest = digestOf(record, address)
      const copy = kept.get(digest)
      if (copy) return copy.written.then(() => true)
      const pool = poolFor(record)
      const rank = rankOf(record, instance ?? '', address)
      const source = shortHash(8, address)
      if (rank < 2 && waiting[rank] >= MOST_WAITING) return false
      // A flood of large bodies is declined before a file is made of each.
      if (!pools[pool].mayAdmit({ rank, source, blocks: blocksOf(record.rawBody.length) })) {
        return false
      }
      if (!takePermit(`${pool} ${rank}`, source, performance.now())) return false
      const text = writeKept(record)
      const facts = { at: arrivalOf(record), pool, rank, source, digest }
      const entry = makeEntry(facts, Buffer.byteLength(text))
      const gone = pools[pool].admit(entry)
      if (!gone) return false
      const going = gone.flatMap((victim) => kept.get(victim.digest) ?? [])
      for (const victim of gone) kept.delete(victim.digest)
      unsettled.set(entry.name, Number.POSITIVE_INFINITY)
      // `write` looks whether it is still in the map, so it begins after the entry is there.
      const written = Promise.resolve().then(() => write(entry, going, text))
      kept.set(digest, { entry, written })
      waiting[rank] += 1
      try {
        await written
      } finally {
        waiting[rank] -= 1
      }
      return true
    },

    close() {
      clearInterval(timer)
      return senders.close()
    },
  }
}

interface Kept {
  readonly entry: Entry
  /** Done when the file is whole. */
  readonly written: Promise<void>
}

function settled(entry: Entry): Kept {
  return { entry, written: Promise.resolve() }
}

function prepareFolder(folder: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const { mode } = statSync(folder)
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
    throw new Error(
      `Users other than the owner can read the quarantine in ${JSON.stringify(folder)}, and deliveries can contain personal data: run chmod 700 on this folder.`,
    )
  }
  accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  return folder
}

/** Removes what a killed process has left half-written. */
function removeOldDrafts(folder: string, names: readonly string[]): void {
  const old = Date.now() - DRAFT_LIFETIME
  for (const name of names) {
    const path = join(folder, name)
    const stats = DRAFT.test(name) ? statSync(path, { throwIfNoEntry: false }) : undefined
    if (stats && stats.mtimeMs < old) removeIfPossible(path)
  }
}

/** What cannot be removed is no reason to keep nothing: where nothing can be written either, that is an error. */
function removeIfPossible(path: string): void {
  try {
    rmSync(path)
  } catch {
    // Another process was faster, or it is a folder of somebody else. The next look tries again.
  }
}

/**
 * The same for what is kept once: a service that sends again signs again, so one copy from each sender is enough, and its place is
 * shared by all. Several endpoints may be sent the same, each under a secret of its own. What is authentic can be caught and sent
 * again from anywhere to any path, so neither makes another copy of it.
 */
function digestOf(
  { authentic, secrets, remote, rawBody }: QuarantineRecord,
  address: string,
): string {
  const place = authentic
    ? ['authentic', ...secrets.map(({ fingerprint }) => fingerprint)]
    : [address, remote.url ?? '']
  return shortHash(32, ...place, rawBody)
}

function signedAt({ headers }: QuarantineRecord): number | undefined {
  const found = headers.find(([name]) => name.toLowerCase() === 'x-webhook-timestamp')
  return found && readTimestamp(found[1])
}

/** Control characters without an escape; a capture would hold six characters for each. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const NEVER_IN_JSON = /[\0-\x08\x0b\x0c\x0e-\x1f]/

/** Found without parsing: what is not authenticated is not worth that, and may be made to be slow. */
function instanceIn(body: Uint8Array): string | undefined {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8')
  if (NEVER_IN_JSON.test(text)) return undefined
  return /"instance_id"\s{0,9}:\s{0,9}"([^"]{1,200})/.exec(text)?.[1]
}
