import { appendFile, lstat, readFile, realpath } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { makeFolder } from '../options/index.ts'
import type { Plan } from './plan.ts'
import { withVariables } from './variables.ts'

/** What became, or would become, of a file. */
export interface FileState {
  readonly path: string
  readonly state: 'new' | 'unchanged' | 'kept' | 'added to'
  /** What somebody has in a file that is kept. */
  readonly text?: string | undefined
}

/** For this machine: `.gitignore` names the file. */
const DEVELOPMENT = `# On your machine, the log explains each rejection
NODE_ENV=development
`

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
    await makeFolder(dirname(join(folder, path)))
    // Nothing that is there is written again: it may be in another encoding.
    await appendFile(join(folder, path), text)
  }
  const read = (path: string) => readFile(join(folder, path), 'utf8').catch(() => undefined)
  for (const [path, text] of Object.entries(files)) {
    const before = await read(path)
    const isMissing = before === undefined && !(await leadsOut(folder, path))
    if (isMissing) await put(path, text)
    const state = isMissing ? 'new' : before === text ? 'unchanged' : 'kept'
    states.push({ path, state, text: before })
  }
  const example = `${envFile}.example`
  if (await leadsOut(folder, example)) return [...states, { path: example, state: 'kept' }]
  const before = await read(example)
  const after = withVariables(before ?? '', variables)
  if (after !== before) await put(example, after.slice(before?.length))
  const isSame = after === before
  states.push({
    path: example,
    state: before === undefined ? 'new' : isSame ? 'unchanged' : 'added to',
  })
  // Nobody's values are in the way of a new project, so it starts at once.
  if (!isNew) return states
  const isSet = (await read(envFile)) !== undefined
  if (!isSet)
    await put(envFile, withVariables(envFile === '.env' ? DEVELOPMENT : '', variables, true))
  states.push({ path: envFile, state: isSet ? 'kept' : 'new' })
  return states
}

/** Whether a file is a link to nothing, or out of the folder: a project that somebody else made may have one to a file of yours. */
async function leadsOut(folder: string, path: string): Promise<boolean> {
  const file = join(folder, path)
  if (!(await lstat(file).catch(() => undefined))?.isSymbolicLink()) return false
  const target = await realpath(file).catch(() => undefined)
  return target === undefined || relative(await realpath(folder), target).startsWith('..')
}
