import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Plan } from './plan.ts'
import { withVariables } from './variables.ts'

/** What became, or would become, of a file. */
export interface FileState {
  readonly path: string
  readonly state: 'new' | 'unchanged' | 'kept' | 'added to'
}

/** Writes what is missing. What is there already is somebody's: only the example of the environment gets new lines. */
export async function write(
  { files, variables, envFile }: Plan,
  {
    folder,
    isNew,
    isDry,
  }: { readonly folder: string; readonly isNew: boolean; readonly isDry: boolean },
): Promise<readonly FileState[]> {
  const states: FileState[] = []
  const put = async (path: string, text: string) => {
    if (isDry) return
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  const read = (path: string) => readFile(join(folder, path), 'utf8').catch(() => undefined)
  for (const [path, text] of Object.entries(files)) {
    const before = await read(path)
    if (before === undefined) await put(path, text)
    states.push({
      path,
      state: before === undefined ? 'new' : before === text ? 'unchanged' : 'kept',
    })
  }
  const example = `${envFile}.example`
  const before = await read(example)
  const after = withVariables(before ?? '', variables)
  if (after !== before) await put(example, after)
  const isSame = after === before
  states.push({
    path: example,
    state: before === undefined ? 'new' : isSame ? 'unchanged' : 'added to',
  })
  // Nobody's values are in the way of a new project, so it starts at once.
  if (isNew && (await read(envFile)) === undefined) {
    await put(
      envFile,
      withVariables('', variables, ({ value }) => value),
    )
    states.push({ path: envFile, state: 'new' })
  }
  return states
}
