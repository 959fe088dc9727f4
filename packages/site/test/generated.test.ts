import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { generatedFiles } from '../generated.mjs'

const files = await generatedFiles()

test('there are generated pages', () => {
  expect(files.map(({ file }) => basename(file))).toEqual(
    expect.arrayContaining(['options.md', 'packages.md']),
  )
})

test.each(files)('$file is what `npm run site:write` writes', async ({ file, text }) => {
  expect(await readFile(file, 'utf8')).toBe(text)
})
