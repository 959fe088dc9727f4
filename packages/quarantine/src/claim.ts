import { createHash } from 'node:crypto'
import { rename } from 'node:fs/promises'
import { hostname } from 'node:os'

/** What a claim adds to the name of its file: process, time in milliseconds and machine. */
const CLAIMED = /^(.+)\.(\d+)-(\d+)-([0-9a-f]{8})\.claim$/

const MACHINE = createHash('sha256').update(hostname()).digest('hex').slice(0, 8)

/** Whether a process of another machine still runs cannot be seen, so its claim ends after this time. In milliseconds. */
const HOUR = 3_600_000

/**
 * Claims a file by renaming it, which only one process can do. Resolves to its path from now on; to `undefined` where
 * another process was faster, or the file is gone.
 */
export async function claim(path: string): Promise<string | undefined> {
  const claimed = `${path}.${process.pid}-${Date.now()}-${MACHINE}.claim`
  return (await renameIfThere(path, claimed)) ? claimed : undefined
}

export async function release(claimed: string, path: string): Promise<void> {
  await renameIfThere(claimed, path)
}

/** Releases the claim of a process that was killed. Resolves to the path of the file; to `undefined` where there is no such claim. */
export async function releaseAbandoned(claimed: string): Promise<string | undefined> {
  const [, path, pid, at, machine] = CLAIMED.exec(claimed) ?? []
  if (path === undefined || !isAbandoned(Number(pid), Number(at), machine)) return undefined
  return (await renameIfThere(claimed, path)) ? path : undefined
}

function isAbandoned(pid: number, at: number, machine: string | undefined): boolean {
  const now = Date.now()
  // In both directions, for a clock that was set back.
  if (Math.abs(now - at) > HOUR) return true
  if (machine !== MACHINE) return false
  // In a container that was restarted, this process may have the number of the one that was killed.
  if (pid === process.pid) return at < now - process.uptime() * 1000
  return !isRunning(pid)
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // It belongs to another user.
    return Object(error).code === 'EPERM'
  }
}

async function renameIfThere(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to)
    return true
  } catch (error) {
    if (Object(error).code === 'ENOENT') return false
    throw error
  }
}
