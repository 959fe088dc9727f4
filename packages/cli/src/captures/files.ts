import { randomBytes } from 'node:crypto'
import { access, constants, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import {
  type Capture,
  CaptureError,
  readCapture,
  writeCapture,
} from '@webhook-receiver/quarantine/internal'
import { Failure, Interrupted, messageOf, printable, UsageError } from '../console/index.ts'
import { makeFolder, parsed } from '../options/index.ts'

export interface NamedCapture extends Capture {
  readonly path: string
}

/** A file that should hold a capture. */
export interface CaptureFile {
  readonly path: string
  /** Milliseconds since the epoch; `undefined` where `openCapture` rejects. */
  readonly receivedAt: number | undefined
}

/**
 * Keeps captures in a folder, which is created if it does not exist. Only the owner can read the files: deliveries may
 * hold personal data. The function that is returned saves one, and resolves to the path of the complete file.
 */
export async function captureFolder(
  directory: string,
): Promise<(capture: Capture) => Promise<string>> {
  try {
    await makeFolder(directory, 0o700)
    await access(directory, constants.W_OK)
  } catch (error) {
    throw new UsageError(`--save: cannot write to the folder: ${messageOf(error)}.`)
  }
  let count = 0
  return async (capture) => {
    // Names sort by arrival. The count orders requests of the same millisecond; the random part separates processes.
    const time = new Date(capture.receivedAt).toISOString().replaceAll(':', '-')
    const order = String(++count).padStart(6, '0')
    const name = `${time}-${order}-${randomBytes(4).toString('hex')}.json`
    // Renamed when it is complete, so that a reader of the folder never finds half a file.
    const draft = join(directory, `.${name}.part`)
    await writeFile(draft, writeCapture(capture), { flag: 'wx', mode: 0o600 })
    await rename(draft, join(directory, name))
    return join(directory, name)
  }
}

/**
 * Lists the captures in files and folders: those of a folder in the order of their arrival. The captures
 * themselves stay on the disk, because a folder can hold more than fits into memory.
 *
 * @throws UsageError where a path is wrong, or a folder holds no captures.
 * @throws Interrupted where the signal is aborted.
 */
export async function listCaptures(
  paths: readonly string[],
  signal: AbortSignal,
): Promise<readonly CaptureFile[]> {
  const groups: (readonly string[])[] = []
  for (const path of paths) groups.push(await filesAt(path))
  const found: CaptureFile[] = []
  for (const group of groups) {
    const files: CaptureFile[] = []
    for (const path of group) {
      if (signal.aborted) throw new Interrupted()
      const capture = await openCapture(path).catch(() => undefined)
      files.push({ path, receivedAt: capture?.receivedAt })
    }
    found.push(...files.sort((one, other) => (one.receivedAt ?? 0) - (other.receivedAt ?? 0)))
  }
  return found
}

/** How the help describes the argument. */
export const CAPTURES = 'files from `listen --save` or a quarantine, or folders with such files'

async function filesAt(path: string): Promise<readonly string[]> {
  try {
    if (!(await stat(path)).isDirectory()) return [path]
    const entries = await readdir(path, { withFileTypes: true })
    // A quarantine has its files in two folders.
    const within = entries.flatMap((one) => (one.isDirectory() ? [one.name] : []))
    const names = await Promise.all(
      ['', ...within].map(async (name) =>
        (await readdir(join(path, name))).map((file) => join(name, file)),
      ),
    )
    const found = names.flat().filter((name) => /^[^.].*\.json$/s.test(basename(name)))
    if (found.length > 0) return found.sort().map((name) => join(path, name))
  } catch (error) {
    throw new UsageError(`${printable(messageOf(error))}.`)
  }
  throw new UsageError(`${printable(path)} contains no captures (*.json).`)
}

/**
 * Reads one capture.
 *
 * @throws Failure where the file cannot be read or is not a capture.
 */
export async function openCapture(path: string): Promise<NamedCapture> {
  const text = await textIn(path).catch((error: unknown) => {
    throw new Failure(`${messageOf(error, path)}.`)
  })
  try {
    return { path, ...readCapture(text) }
  } catch (error) {
    if (!(error instanceof CaptureError)) throw error
    const { fault } = parsed(text)
    const why = fault === undefined ? printable(error.message) : `it ${fault}`
    throw new Failure(`${path} is not a capture file: ${why}.`)
  }
}

/** @throws Error for a pipe, such as `<(…)`: it has its text once, and never where nobody writes to it. */
async function textIn(path: string): Promise<string> {
  const there = await stat(path)
  if (there.isFile() || there.isDirectory()) return readFile(path, 'utf8')
  throw new Error('it is a pipe or a device: save it as a file')
}
