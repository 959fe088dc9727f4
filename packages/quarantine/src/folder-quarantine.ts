import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Quarantine, QuarantineRecord } from '@webhook-receiver/core'
import { checkValue, madeBy, stringRule } from '@webhook-receiver/core/internal'
import { nameOf } from './kept-request.ts'
import { type FolderQuarantineOptions, resolveOptions } from './options.ts'
import { Pool, type PoolCounts } from './pool.ts'
import { KnownSenders } from './senders.ts'

/** A quarantine in a folder. */
export interface FolderQuarantine extends Quarantine {
  /** What each pool holds and has declined, for gauges. */
  counts(): { readonly trusted: PoolCounts; readonly other: PoolCounts }
}

/** The folder is read again after so long, since others change it; without requests every hour. In milliseconds. */
const [READ_EVERY, HOUR] = [5000, 3_600_000]

/**
 * Keeps requests in a folder, each in a file that only its owner can read.
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
  const resolved = resolveOptions(options)
  prepareFolder(checkValue('folder', folder, stringRule("a path, such as './quarantine'", /./s)))
  const senders = new KnownSenders(join(folder, 'senders'), resolved.now)
  const trusted = new Pool(join(folder, 'trusted'), resolved)
  const other = new Pool(join(folder, 'other'), resolved)
  let reading: Promise<void> | undefined
  let lastRead: number | undefined

  async function read(): Promise<void> {
    // Somebody may have removed it.
    prepareFolder(folder)
    for (const part of [senders, trusted, other]) await part.read()
    lastRead = performance.now()
  }

  function readOnce(): Promise<void> {
    reading ??= read().finally(() => {
      reading = undefined
    })
    return reading
  }

  // Where the folder has gone, the next request that cannot be kept says so.
  const readInBackground = () => void readOnce().catch(() => {})
  readInBackground()
  setInterval(readInBackground, HOUR).unref()

  /** Whether the request seems to be from the service. The owner of an old delivery must not take the room of fresh ones. */
  function isTrusted({ signatureValid, reason, address, at }: QuarantineRecord): boolean {
    if (signatureValid) return reason !== 'timestamp_too_old'
    return address !== undefined && senders.knows(address, at)
  }

  return madeBy<FolderQuarantine>('@webhook-receiver/quarantine', 'quarantine', {
    accepted({ address }) {
      if (address !== undefined) senders.note(address)
    },

    async keep(record) {
      if (lastRead === undefined) await readOnce()
      else if (performance.now() - lastRead > READ_EVERY) readInBackground()
      const [pool, rest] = isTrusted(record) ? [trusted, other] : [other, trusted]
      const name = nameOf(record)
      return (await rest.has(name)) || pool.keep(name, record)
    },

    counts: () => ({ trusted: trusted.counts(), other: other.counts() }),
  })
}

function prepareFolder(folder: string): void {
  for (const part of ['senders', 'trusted', 'other']) makeFolder(join(folder, part))
  if (process.platform !== 'win32' && (statSync(folder).mode & 0o077) !== 0) {
    throw new Error(
      `Users other than the owner can read the quarantine in ${JSON.stringify(folder)}, and deliveries can contain personal data: run chmod 700 on this folder.`,
    )
  }
  accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
}

/**
 * Creates a folder, and those above it. Not by `recursive`, which never ends where a system such as /proc says that a folder is missing
 * whose parent is there.
 */
function makeFolder(path: string): void {
  const parent = dirname(path)
  if (parent !== path && !existsSync(parent)) makeFolder(parent)
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    // Another process may have created it.
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error
  }
}
