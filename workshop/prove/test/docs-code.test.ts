import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
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

/** A call for each line of code below an option, and what the lines name. */
function callsOf(page: string): string {
  const lines = [...page.matchAll(/^(`+) ?({ .* }) ?\1$/gm)].map(([, , line]) => line)
  const calls = lines.map((line) => `webhookHandler('', () => {}, ${line})`)
  expect(calls.length).toBeGreaterThan(10)
  return `import { memoryStore, webhookHandler } from '@webhook-receiver/express'
import { folderQuarantine } from '@webhook-receiver/quarantine'
import { asana, github, meta, stripe, twilio } from '@webhook-receiver/schemes'
import { z } from 'zod'

declare const logger: Pick<Console, 'warn'>
declare function saveSecret(token: string, secret: string): Promise<boolean>
declare function keep(rawBody: Uint8Array, headers: object): Promise<void>
declare function count(name: string): void
declare function report(error: unknown, id: string): void

${calls.join('\n')}
`
}

test('every TypeScript and JavaScript block of every document type-checks', {
  timeout: 300_000,
}, async () => {
  // Inside the checkout, so that the blocks import what the checkout has installed.
  const folder = await mkdtemp(join(root, 'workshop/prove/test/.blocks-'))
  try {
    let blocks = 0
    for (const name of documents) {
      const page = codeBlocks(await read(name)).filter(isCompiled)
      for (const block of page) {
        const { language, code } = block
        blocks++
        const isDeclaration = block.file.endsWith('.d.ts')
        const own = name.replaceAll(/\W/g, '-')
        // Files that import one another lie beside one another, under their own names.
        const isImported = page.some(({ code }) => /'\.\/[\w/-]+\.js'\)?$/m.test(code))
        const file = isImported
          ? `${own}/${block.file || `${blocks}.${language}`}`
          : `${own}-${blocks}.${isDeclaration ? 'd.ts' : language}`
        await mkdir(dirname(join(folder, file)), { recursive: true })
        // A block is a module, also where it imports nothing. A declaration has to say so itself, or it hides what it adds to.
        await writeFile(join(folder, file), isDeclaration ? code : `${code}\nexport {}\n`)
      }
    }
    const options = await read('docs/reference/options.md')
    await writeFile(join(folder, 'options.ts'), callsOf(options))
    await writeFile(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        extends: '../../../../tsconfig.test.json',
        compilerOptions: { allowJs: true, checkJs: true, noUnusedLocals: false },
        // The types of Node 20 have no node:sqlite.
        include: ['**/*.ts', '**/*.js', '../../../../packages/sqlite/test/node-sqlite.d.ts'],
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
