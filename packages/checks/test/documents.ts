import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'

export const root: string = join(import.meta.dirname, '../../..')

export const read = (name: string): Promise<string> => readFile(join(root, name), 'utf8')

/** Every Markdown file that is part of the documentation, relative to the root. */
async function findDocuments(): Promise<string[]> {
  const files = await readdir(root, { recursive: true, withFileTypes: true })
  return files
    .filter((file) => file.isFile() && file.name.endsWith('.md') && file.name !== 'CHANGELOG.md')
    .map((file) => relative(root, join(file.parentPath, file.name)))
    .filter((name) => !/node_modules|^\.(?!github)|^coverage|(^|\/)dist\//.test(name))
    .sort()
}

export const documents: readonly string[] = await findDocuments()

/** Imports the block of a page that has this file name. */
export async function importBlock<Module>(page: string, name: string): Promise<Module> {
  const [, code = ''] = (await read(page)).split(`\n\`\`\`ts [${name}]\n`)
  return importCode(code.split('\n```\n', 1)[0] ?? '', name)
}

/** Inside the checkout, so that it imports what the checkout has. */
export async function importCode<Module>(code: string, name = 'block.ts'): Promise<Module> {
  const folder = await mkdtemp(join(root, 'packages/checks/test/.guide-'))
  try {
    const file = join(folder, name)
    await writeFile(file, code)
    return await import(pathToFileURL(file).href)
  } finally {
    await rm(folder, { recursive: true })
  }
}
