import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'

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
