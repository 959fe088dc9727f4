import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A folder for the length of a test. */
export async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'cli-test-'))
  onTestFinished(() => rm(path, { recursive: true, force: true }))
  return path
}
