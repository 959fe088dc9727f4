import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Capture, readCapture, writeCapture } from './capture.ts'
import { inParallel } from './concurrency.ts'
import { Failure, Interrupted, messageOf, UsageError } from './failure.ts'
import { printable } from './printable.ts'
import type { Progress } from './progress.ts'

export interface NamedCapture extends Capture {
  readonly path: string
}

/** A file that should hold a capture. */
export interface CaptureFile {
  readonly path: string
  /** Milliseconds since the epoch; `undefined` where `openCapture` rejects. */
  readonly receivedAt: number | undefined
}

/** Keeps captures in a folder, each in a file of its own. */
export interface CaptureFolder {
  /** Resolves to the path of the complete file. */
  save(capture: Capture): Promise<string>
}

/** How many files are open at the same time: a process may have as few as 64 descriptors. */
const OPEN_AT_ONCE = 8

/** Creates the folder, if it does not exist. Only the owner can read the files: deliveries may hold personal data. */
export async function captureFolder(directory: string): Promise<CaptureFolder> {
  await mkdir(directory, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw new UsageError(`--save: cannot create the folder: ${messageOf(error)}.`)
  })
  let count = 0
  return {
    async save(capture) {
      count += 1
      const name = fileName(capture.receivedAt, count)
      const path = join(directory, name)
      // Renamed when it is complete, so that a reader of the folder never finds half a file.
      const draft = join(directory, `.${name}.part`)
      await writeFile(draft, writeCapture(capture), { flag: 'wx', mode: 0o600 })
      await rename(draft, path)
      return path
    },
  }
}

/** Names sort by arrival. The count orders requests of the same millisecond; the random part separates processes. */
function fileName(receivedAt: number, count: number): string {
  const time = new Date(receivedAt).toISOString().replaceAll(':', '-')
  return `${time}-${String(count).padStart(6, '0')}-${randomBytes(4).toString('hex')}.json`
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
  { signal, progress }: { readonly signal: AbortSignal; readonly progress: Progress },
): Promise<readonly CaptureFile[]> {
  const groups: (readonly string[])[] = []
  for (const path of paths) groups.push(await filesAt(path))
  const all = groups.flat()
  const arrivals = new Map<string, number>()
  let read = 0
  await inParallel(all, OPEN_AT_ONCE, async (path) => {
    if (signal.aborted) throw new Interrupted()
    const capture = await openCapture(path).catch(() => undefined)
    if (capture !== undefined) arrivals.set(path, capture.receivedAt)
    read += 1
    progress.update(`Read ${read} of ${all.length} captures`)
  }).finally(() => progress.clear())
  return groups.flatMap((group) =>
    group
      .map((path) => ({ path, receivedAt: arrivals.get(path) }))
      .sort((one, other) => (one.receivedAt ?? 0) - (other.receivedAt ?? 0)),
  )
}

async function filesAt(path: string): Promise<readonly string[]> {
  try {
    if (!(await stat(path)).isDirectory()) return [path]
    const names = (await readdir(path)).filter((name) => /^[^.].*\.json$/s.test(name)).sort()
    if (names.length > 0) return names.map((name) => join(path, name))
  } catch (error) {
    throw new UsageError(`Cannot read the capture: ${printable(messageOf(error))}.`)
  }
  throw new UsageError(`${printable(path)} contains no captures (*.json).`)
}

/**
 * Reads one capture.
 *
 * @throws Failure where the file cannot be read or is not a capture.
 */
export async function openCapture(path: string): Promise<NamedCapture> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new Failure(`${path} cannot be read: ${messageOf(error)}.`)
  })
  return { path, ...readCapture(text, path) }
}
