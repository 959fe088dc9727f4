import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseObject } from './capture.ts'
import { shortHash } from './entry.ts'
import { replaceFile } from './replace-file.ts'

/** Signs by which a later request looks like one of a known sender. */
export interface KnownSenders {
  /** Learns from an accepted delivery. */
  learn(kind: Sign, value: string, now: number): void
  /** Whether an accepted delivery had this. */
  knows(kind: Sign, value: string, now: number): boolean
  /** Writes what is not written yet. */
  save(): Promise<void>
  close(): Promise<void>
}

type Sign = 'address' | 'instance'

const FILE = '.senders.json'

/** So many of each kind are known, the latest ones. */
const MOST = 10_000

/** A sign is forgotten after so long, and noted again after so long, in milliseconds. */
const LIFETIME = 30 * 86_400_000
const REFRESH = 3_600_000

/** Waits so long before it writes, so that many new signs are one write, in milliseconds. */
const WRITE_AFTER = 1000

/**
 * Remembers hashes of the addresses and instances of accepted deliveries, in the folder too: a wrong secret comes with a
 * restart, and then it is too late to learn. Processes that share the folder add to one another's.
 */
export function knownSenders(folder: string): KnownSenders {
  const path = join(folder, FILE)
  const signs = readSigns(path)
  // Most deliveries come from the same few: those cost no hash.
  const recent: Record<Sign, Map<string, number>> = { address: new Map(), instance: new Map() }
  let timer: NodeJS.Timeout | undefined
  let changed = false
  let saving = Promise.resolve()

  async function write(): Promise<void> {
    if (!changed) return
    changed = false
    const others = readSigns(path)
    for (const kind of ['address', 'instance'] as const) {
      for (const [hash, at] of others[kind]) note(signs[kind], hash, at)
    }
    const lists = Object.fromEntries(
      Object.entries(signs).map(([kind, known]) => [kind, [...known]]),
    )
    await replaceFile(path, JSON.stringify(lists)).catch(() => {
      // The next change tries again; without it, only a guess after a restart is worse.
    })
  }

  function save(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    saving = saving.then(write)
    return saving
  }

  return {
    learn(kind, value, now) {
      if (now - (recent[kind].get(value) ?? -Infinity) < REFRESH) return
      recent[kind].set(value, now)
      if (recent[kind].size > MOST) recent[kind].clear()
      note(signs[kind], hashOf(value), now)
      changed = true
      timer ??= setTimeout(save, WRITE_AFTER).unref()
    },
    knows(kind, value, now) {
      return now - (signs[kind].get(hashOf(value)) ?? -Infinity) < LIFETIME
    },
    save,
    close: save,
  }
}

/** The map stays in the order of time, so that its first entry is the one to forget. */
function note(known: Map<string, number>, hash: string, at: number): void {
  if ((known.get(hash) ?? -Infinity) >= at) return
  known.delete(hash)
  known.set(hash, at)
  const [oldest = hash] = known.keys()
  if (known.size > MOST) known.delete(oldest)
}

function hashOf(value: string): string {
  return shortHash(16, value)
}

function readSigns(path: string): Readonly<Record<Sign, Map<string, number>>> {
  let text = ''
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    // There is none yet.
  }
  const { address, instance } = parseObject(text)
  return { address: readPairs(address), instance: readPairs(instance) }
}

function readPairs(list: unknown): Map<string, number> {
  if (!Array.isArray(list)) return new Map()
  // What is no hash is never asked for.
  const whole = list.filter(
    (pair): pair is [string, number] => Array.isArray(pair) && typeof pair[1] === 'number',
  )
  return new Map(whole.sort(([, one], [, other]) => one - other))
}
