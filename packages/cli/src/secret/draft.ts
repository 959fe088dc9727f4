import { randomBytes } from 'node:crypto'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { messageOf, UsageError } from '../console/index.ts'

/** A file that is created before the secret, so that an unwritable folder is found in time. */
export interface Draft {
  readonly path: string
  /** Resolves when the secret is on the disk. */
  write(secret: string): Promise<void>
  remove(): Promise<void>
}

/** Makes an empty file beside `path`, which only the owner can read. */
export async function openDraft(path: string, flag: string): Promise<Draft> {
  const draft = join(dirname(path), `.webhook-secret-${randomBytes(6).toString('hex')}`)
  const file = await open(draft, 'wx', 0o600).catch((error: unknown) => {
    throw new UsageError(`${flag}: cannot write to this folder: ${messageOf(error)}.`)
  })
  return {
    path: draft,
    write: (secret) => write(file, secret),
    async remove() {
      await file.close().catch(() => {})
      await rm(draft, { force: true })
    },
  }
}

async function write(file: FileHandle, secret: string): Promise<void> {
  await file.writeFile(`${secret}\n`)
  await file.sync()
  await file.close()
}
