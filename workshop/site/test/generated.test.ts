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

test.each(['listen', 'listen-upright'])(
  'docs/images/%s.svg shows what listen prints',
  async (name) => {
    const read = (file: string) => readFile(join(import.meta.dirname, '../../..', file), 'utf8')
    const words = (text: string) => text.replaceAll(/\s+/g, ' ').trim()
    const transcript = await read('packages/cli/test/transcripts/tour.txt')
    const printed = words(transcript.replaceAll(/^2>/gm, ''))
    const texts = (await read(`docs/images/${name}.svg`)).matchAll(/<text .*?>(.*)<\/text>/g)
    const shown = Array.from(texts, ([, text = '']) => text.replaceAll(/<.*?>/g, ''))
    // Behind the command. A transcript has no times, durations and ids.
    const lines = shown.slice(shown.indexOf('') + 1).map((line) =>
      line
        .replace(/^\d\d:\d\d:\d\d/, '00:00:00')
        .replace(/\d+ ms/, 'N ms')
        .replace(/(?<= N ms +)\w+$/, 'ID'),
    )
    expect(lines.length).toBeGreaterThan(8)
    expect(printed).toContain(words(lines.join(' ')))
  },
)
