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
  const buttons = (await read('workshop/site/pages/index.md')).matchAll(
    /data-choose="(\w+)" .*data-secret="(\w+)".*>(.*)<\/button>/g,
  )
  for (const [, service, variable, title] of buttons) {
    const file = JSON.parse(await read(`packages/schemes/services/${service}.json`))
    expect(file).toMatchObject({ variable, title })
  }
})

test.each(['listen', 'listen-upright'])(
  'docs/images/%s.svg shows what listen prints',
  async (name) => {
    const printed = await printedIn('tour')
    const texts = (await read(`docs/images/${name}.svg`)).matchAll(/<text .*?>(.*)<\/text>/g)
    const shown = Array.from(texts, ([, text = '']) => text.replaceAll(/<.*?>/g, ''))
    // Behind the command. A transcript has no times, durations and ids.
    const lines = shown.slice(shown.indexOf('') + 1).map(masked)
    expect(lines.length).toBeGreaterThan(8)
    expect(printed).toContain(words(lines.join(' ')))
  },
)

test('the README of the command shows what it prints', async () => {
  const printed = `${await printedIn('readme')} ${await printedIn('tour')}`
  const blocks = (await read('packages/cli/README.md')).matchAll(/^```text\n(.*?)^```$/gms)
  const parts = Array.from(blocks, ([, block = '']) => block.split('…\n')).flat()
  expect(parts.length).toBeGreaterThan(4)
  for (const part of parts) expect(printed).toContain(words(part.split('\n').map(masked).join(' ')))
})

function read(file: string): Promise<string> {
  return readFile(join(import.meta.dirname, '../../..', file), 'utf8')
}

async function printedIn(transcript: string): Promise<string> {
  const text = await read(`packages/cli/test/transcripts/${transcript}.txt`)
  return words(text.replaceAll(/^2>/gm, ''))
}

function words(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}

/** Without times, durations and ids, as in a transcript. */
function masked(line: string): string {
  return line
    .replace(/^\d\d:\d\d:\d\d/, '00:00:00')
    .replace(/\d+ ms/, 'N ms')
    .replace(/(?<= N ms +)\w+/, 'ID')
    .replace(/(?<= in )[\d.]+ s$/, 'N s')
}
