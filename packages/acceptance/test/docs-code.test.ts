import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { documents, read, root } from './documents.ts'

test('every TypeScript and JavaScript block of every document type-checks', {
  timeout: 60_000,
}, async () => {
  // Inside the checkout, so that the blocks import what the checkout has installed.
  const folder = await mkdtemp(join(root, 'packages/acceptance/test/.blocks-'))
  try {
    let blocks = 0
    for (const name of documents) {
      for (const [, language = '', code = ''] of (await read(name)).matchAll(
        // A title may follow: the name of the file that it is.
        /^```(ts|js)(?: \[\S+\])?\n(.*?)^```$/gms,
      )) {
        blocks++
        const file = `${name.replaceAll(/\W/g, '-')}-${blocks}.${language}`
        // A block is a module, also where it imports nothing.
        await writeFile(join(folder, file), `${code}\nexport {}\n`)
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
