import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

export const root: string = join(import.meta.dirname, '../../..')

export const read = (name: string): Promise<string> => readFile(join(root, name), 'utf8')

/** What git tracks or would track. A file that was deleted and not yet committed is not among them. */
export const files: readonly string[] = execFileSync(
  'git',
  ['ls-files', '-co', '--exclude-standard'],
  { cwd: root, encoding: 'utf8' },
)
  .split('\n')
  .filter((name) => name !== '' && existsSync(join(root, name)))
  .sort()

/** Every Markdown file that is part of the documentation, relative to the root. */
export const documents: readonly string[] = files.filter(
  (name) => /\.md$/.test(name) && !/(^|\/)CHANGELOG\.md$|^\.(?!github)/.test(name),
)

/** Imports the block of a page that has this file name. */
export async function importBlock<Module>(page: string, name: string): Promise<Module> {
  const [, block = ''] = (await read(page)).split(`\n\`\`\`ts [${name}]`)
  const [, ...lines] = (block.split('\n```\n', 1)[0] ?? '').split('\n')
  return importCode(lines.join('\n'), name)
}

/** Inside the checkout, so that it imports what the checkout has. */
export async function importCode<Module>(code: string, name = 'block.ts'): Promise<Module> {
  const folder = await mkdtemp(join(root, 'workshop/prove/test/.guide-'))
  try {
    const file = join(folder, name)
    await writeFile(file, code)
    return await import(pathToFileURL(file).href)
  } finally {
    await rm(folder, { recursive: true })
  }
}
