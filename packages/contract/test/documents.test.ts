import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { EVENTS } from '@webhook-receiver/core'
import { expect, test } from 'vitest'
import { DOCUMENTS } from '../src/documents.ts'

const folder = join(import.meta.dirname, '..')

test.each(Object.entries(DOCUMENTS))(
  '%s is up to date (npm --prefix packages/contract run generate)',
  async (name, document) => {
    const text = `${JSON.stringify(document, null, 2)}\n`
    await expect(text).toMatchFileSnapshot(join(folder, name))
  },
)

test('there is a schema for each event, and no other', async () => {
  const names = ['delivery', 'envelope', ...EVENTS, 'unknown-event'].map((name) => `${name}.json`)
  expect((await readdir(join(folder, 'schemas'))).sort()).toEqual(names.sort())
})

test('every document is an entry of the package', async () => {
  const { exports } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  const wanted = [...Object.keys(DOCUMENTS), 'package.json'].map((name) => `./${name}`)
  expect(exports).toEqual(Object.fromEntries(wanted.map((path) => [path, path])))
})
