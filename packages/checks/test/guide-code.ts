import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { read, root } from './documents.ts'

/** Imports the block of a page that has this file name. */
export async function importBlock<Module>(page: string, name: string): Promise<Module> {
  // Inside the checkout, so that it imports what the checkout has.
  const folder = await mkdtemp(join(root, 'packages/checks/test/.guide-'))
  try {
    const [, code = ''] = (await read(page)).split(`\n\`\`\`ts [${name}]\n`)
    const file = join(folder, name)
    await writeFile(file, code.split('\n```\n', 1)[0] ?? '')
    return await import(pathToFileURL(file).href)
  } finally {
    await rm(folder, { recursive: true })
  }
}
