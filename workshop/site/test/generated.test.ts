import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

test('all that `npm run site:write` writes is up to date', async () => {
  const program = join(import.meta.dirname, '../write.mjs')
  const { stdout } = await promisify(execFile)(process.execPath, [program, '--check'])
  expect(stdout).toBe('')
})

test('the home page has the name of each service and of its secret', async () => {
  const read = (file: string) => readFile(join(import.meta.dirname, '..', file), 'utf8')
  const buttons = (await read('pages/index.md')).matchAll(
    /data-choose="(\w+)" .*data-secret="(\w+)".*>(.*)<\/button>/g,
  )
  for (const [, service, variable, title] of buttons) {
    const file = JSON.parse(await read(`../../packages/schemes/services/${service}.json`))
    expect(file).toMatchObject({ variable, title })
  }
})
