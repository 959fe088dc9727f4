import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Capture, readCapture, writeCapture } from './capture.ts'
import { said, UsageError } from './failure.ts'

export interface NamedCapture extends Capture {
  readonly path: string
}

/** Keeps captures in a folder, each in a file of its own. */
export interface CaptureFolder {
  /** Resolves to the path when the file is complete. */
  keep(capture: Capture): Promise<string>
}

/** Makes the folder, where it is not there. Only the owner can read what is in it: it may be personal. */
export async function captureFolder(directory: string): Promise<CaptureFolder> {
  await mkdir(directory, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw new UsageError(`--save: the folder cannot be made: ${said(error)}.`)
  })
  let count = 0
  return {
    async keep(capture) {
      count += 1
      const name = fileName(capture.receivedAt, count)
      const path = join(directory, name)
      // Renamed when it is whole, so that nobody who reads the folder meanwhile finds half a file.
      const draft = join(directory, `.${name}.part`)
      await writeFile(draft, writeCapture(capture), { flag: 'wx', mode: 0o600 })
      await rename(draft, path)
      return path
    },
  }
}

/** Sorts by arrival. The count is for those of one millisecond, the rest for other processes. */
function fileName(receivedAt: number, count: number): string {
  const time = new Date(receivedAt).toISOString().replaceAll(':', '-')
  return `${time}-${String(count).padStart(6, '0')}-${randomBytes(4).toString('hex')}.json`
}

/** The captures in files and folders: those of a folder in the order of their arrival. */
export async function readCaptures(paths: readonly string[]): Promise<readonly NamedCapture[]> {
  const captures: NamedCapture[] = []
  for (const path of paths) captures.push(...(await readPath(path)))
  return captures
}

async function readPath(path: string): Promise<readonly NamedCapture[]> {
  try {
    if (!(await stat(path)).isDirectory()) return [await readOne(path)]
    const names = (await readdir(path)).filter((name) => /^[^.].*\.json$/.test(name)).sort()
    if (names.length === 0) throw new UsageError(`${path} holds no captures (*.json).`)
    const captures = await Promise.all(names.map((name) => readOne(join(path, name))))
    return captures.sort((one, other) => one.receivedAt - other.receivedAt)
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) {
      throw new UsageError(`The capture cannot be read: ${said(error)}.`)
    }
    throw error
  }
}

async function readOne(path: string): Promise<NamedCapture> {
  return { path, ...readCapture(await readFile(path, 'utf8'), path) }
}
