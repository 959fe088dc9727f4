import { randomBytes } from 'node:crypto'
import { rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/** The name under which a file is written until it is whole. */
export const DRAFT: RegExp = /^\..*\.[0-9a-f]{8}\.part$/

/** Writes a file that only its owner can read. Whoever looks finds the old one, or the whole new one. */
export async function replaceFile(path: string, text: string): Promise<void> {
  const suffix = randomBytes(4).toString('hex')
  const draft = join(dirname(path), `.${basename(path)}.${suffix}.part`)
  try {
    await writeFile(draft, text, { mode: 0o600 })
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}
