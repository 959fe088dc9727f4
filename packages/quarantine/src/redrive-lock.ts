import { randomBytes } from 'node:crypto'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { shortHash } from './entry.ts'
import { hasCode } from './error-code.ts'

/** Another redrive of the folder is running, or one on another machine was killed. The message names its file. */
export class RedriveRunningError extends Error {
  override readonly name = 'RedriveRunningError'
}

const LOCK = /^\.redrive-([0-9a-f]{8})-(\d{1,10})-[0-9a-f]{8}\.lock$/

/** The locks of this process. */
const held = new Set<string>()

/**
 * Takes a folder for one redrive. Each has a file of its own with its machine and process in the name, so that what a killed one has
 * left can be removed without a race. Of two that begin at the same moment, both may give up.
 *
 * @returns What ends it.
 * @throws RedriveRunningError where another one has it.
 */
export async function lockForRedrive(folder: string): Promise<() => Promise<void>> {
  const machine = shortHash(8, hostname())
  const own = `.redrive-${machine}-${process.pid}-${randomBytes(4).toString('hex')}.lock`
  const release = async () => {
    held.delete(own)
    await rm(join(folder, own), { force: true })
  }
  held.add(own)
  try {
    await writeFile(join(folder, own), '', { mode: 0o600 })
    for (const name of await readdir(folder)) {
      const [, where, pid] = LOCK.exec(name) ?? []
      if (where === undefined || name === own) continue
      if (where === machine && !(held.has(name) || isOther(Number(pid)))) {
        await rm(join(folder, name), { force: true })
        continue
      }
      throw new RedriveRunningError(
        `Another redrive of this folder is running (process ${pid}${where === machine ? '' : ' on another machine'}). If that is not so, remove the file ${name} from it.`,
      )
    }
  } catch (error) {
    await release()
    throw error
  }
  return release
}

/** Whether this is a process, and not this one. */
function isOther(pid: number): boolean {
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: it is one of another user.
    return !hasCode(error, 'ESRCH')
  }
}
