import { listCaptures, type NamedCapture, openCapture } from '../src/captures/files.ts'

/** All captures of files and folders, in memory. */
export async function readCaptures(paths: readonly string[]): Promise<readonly NamedCapture[]> {
  const files = await listCaptures(paths, new AbortController().signal)
  return Promise.all(files.map(({ path }) => openCapture(path)))
}
