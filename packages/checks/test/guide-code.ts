import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { read, root } from './documents.ts'

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
