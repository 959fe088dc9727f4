import { appendFile, lstat, readFile, realpath } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { codeOf, Failure, messageOf } from '../console/index.ts'
import { makeFolder } from '../options/index.ts'
import type { Plan } from './plan.ts'
import { withVariables } from './variables.ts'

/** What became, or would become, of a file. */
export interface FileState {
  readonly path: string
  readonly state: 'new' | 'unchanged' | 'kept' | 'added to'
  /** What somebody has in a file that is kept. */
  readonly text?: string | undefined
  /** What is new in it. */
  readonly added?: string | undefined
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
  const read = (path: string) =>
    readFile(join(folder, path), 'utf8').catch((error: unknown) => {
      if (/^ENO(?:ENT|TDIR)$/.test(codeOf(error) ?? '')) return undefined
      throw new Failure(`${messageOf(error, join(folder, path))}.`)
    })
  for (const [path, text] of Object.entries(files)) {
    const before = await read(path)
    const isMissing = before === undefined && !(await leadsOut(folder, path))
    if (isMissing) await put(path, text)
    const state = isMissing ? 'new' : before === text ? 'unchanged' : 'kept'
    states.push({ path, state, text: before, added: isMissing ? text : undefined })
  }
  const example = `${envFile}.example`
  const before = await read(example)
  // Our lines would be unreadable in UTF-16.
  const isClosed = before?.includes('\0') || (await leadsOut(folder, example))
  if (isClosed) return [...states, { path: example, state: 'kept' }]
  const after = withVariables(before ?? '', variables)
  const added = after === before ? undefined : after.slice(before?.length)
  if (added !== undefined) await put(example, added)
  const state = before === undefined ? 'new' : added === undefined ? 'unchanged' : 'added to'
  states.push({ path: example, state, added })
  // Nobody's values are in the way of a new project, so it starts at once.
  if (!isNew) return states
  const isThere = (await read(envFile)) !== undefined || (await leadsOut(folder, envFile))
  if (isThere) return [...states, { path: envFile, state: 'kept' }]
  const values = withVariables(envFile === '.env' ? DEVELOPMENT : '', variables, true)
  await put(envFile, values)
  return [...states, { path: envFile, state: 'new', added: values }]
}

/** Whether a file is a link to nothing, or out of the folder: a project that somebody else made may have one to a file of yours. */
async function leadsOut(folder: string, path: string): Promise<boolean> {
  const file = join(folder, path)
  if (!(await lstat(file).catch(() => undefined))?.isSymbolicLink()) return false
  const target = await realpath(file).catch(() => undefined)
  return target === undefined || relative(await realpath(folder), target).startsWith('..')
}
