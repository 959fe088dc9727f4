import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { codeBlocks, isCompiled } from '../documents/code-blocks.mjs'
import { documents, read, root } from './documents.ts'

/** What the column of the site shows. */
const COLUMNS = 76

test('the code of the documents fits into its column', async () => {
  const wide: string[] = []
  for (const name of documents.filter((each) => !each.startsWith('examples/'))) {
    for (const [, code = ''] of (await read(name)).matchAll(
      /^```(?:ts|js)\b[^\n]*\n(.*?)^```$/gms,
    )) {
      const lines = code.replaceAll(/ \/\/ \[!code \w+\]$/gm, '').split('\n')
      // A string cannot be broken.
      const found = lines.filter((line) => line.length > COLUMNS && !/^\s*'[^']*',?$/.test(line))
      wide.push(...found.map((line) => `${name}: ${line}`))
    }
  }
  expect(wide).toEqual([])
})

test('every TypeScript and JavaScript block of every document type-checks', async () => {
  // Inside the checkout, so that the blocks import what the checkout has installed.
  const folder = await mkdtemp(join(root, 'packages/checks/test/.blocks-'))
  try {
    let blocks = 0
    for (const name of documents) {
      for (const block of codeBlocks(await read(name)).filter(isCompiled)) {
        const { language, code } = block
        blocks++
        const isDeclaration = block.file.endsWith('.d.ts')
        const file = `${name.replaceAll(/\W/g, '-')}-${blocks}.${isDeclaration ? 'd.ts' : language}`
        // A block is a module, also where it imports nothing. A declaration has to say so itself, or it hides what it adds to.
        await writeFile(join(folder, file), isDeclaration ? code : `${code}\nexport {}\n`)
      }
    }
    await writeFile(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        extends: '../../../../tsconfig.test.json',
        compilerOptions: { allowJs: true, checkJs: true, noUnusedLocals: false },
        // The types of Node 20 have no node:sqlite.
        include: ['*.ts', '*.js', '../../../sqlite/test/node-sqlite.d.ts'],
      }),
    )
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    const checked = await promisify(execFile)(process.execPath, [tsc, '-p', folder]).catch(
      (failed: { stdout: string }) => failed,
    )
    expect(checked.stdout).toBe('')
    expect(blocks).toBeGreaterThan(10)
  } finally {
    await rm(folder, { recursive: true })
  }
})
