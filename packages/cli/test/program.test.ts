import { readdir, readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { invoke, words } from './invoke.ts'

it('reports its own bugs, and ends with 1', async () => {
  const { code, err } = await invoke(words`send message.read http://localhost:1/`, {
    now: () => Number.NaN,
  })
  expect([code, err]).toEqual([1, expect.stringContaining('a bug in webhook-receiver')])
})

it('wraps what an option does on a narrow terminal', async () => {
  const size = { columns: 60, rows: 30 }
  const { out } = await invoke(words`send --help`, { tty: true, size })
  expect(out).toContain('\n  --data <json> ')
  expect(out.match(/^ {2}(?!\$).{59,}$/gm)).toBeNull()
})

const read = (path: string) => readFile(new URL(path, import.meta.url), 'utf8')
const reference = await read('../../../docs/reference/command-line.md')
const readme = await read('../README.md')

/** Every call of the program in a code block, as its words. */
const calls = [...`${readme}\n${reference}`.matchAll(/^```(?:sh|text)\n([\s\S]*?)^```/gm)].flatMap(
  ([, block = '']) =>
    block
      .replaceAll(/\\\n/g, ' ')
      .split('\n')
      .flatMap((line) => /^(?:\$ )?(?:npx )?webhook-receiver (\w.*)$/.exec(line)?.[1] ?? [])
      .map((call) => call.replace(/ +#.*/, '')),
)

it.each(calls)('knows every option of: %s', async (call) => {
  const [command = '', ...words] = call.split(/\s+/)
  const { code, out } = await invoke([command, '--help'])
  expect(code).toBe(0)
  for (const word of words.filter((word) => word.startsWith('--'))) {
    expect(out).toContain(`  ${word} `)
  }
})

it('prints of a right receiver what the checklist for production shows of the doctor', async () => {
  const page = await read('../../../docs/guides/production.md')
  const [, shown = ''] = /^✓ accepted .*\n([\s\S]*?)^\n✓ No fault found/m.exec(page) ?? []
  const counted = (text: string) => text.replaceAll(/\d+/g, 'N').trim().split('\n')
  const printed = counted(await read('transcripts/doctor.txt'))
  expect(shown).not.toBe('')
  expect(counted(shown).filter((line) => !printed.includes(line))).toEqual([])
})

it('names every option of every command in a document', async () => {
  const { out } = await invoke(['--help'])
  const commands = [...out.matchAll(/^ {2}([a-z]+) .*/gm)].map(([, name = '']) => name)
  const helps = await Promise.all(commands.map((name) => invoke([name, '--help'])))
  const options = new Set(
    helps.flatMap(({ out }) => out.match(/(?<=^ {2}(?:-\w, )?)--[\w-]+/gm) ?? []),
  )
  expect(options.size).toBeGreaterThan(40)
  const docs = new URL('../../../docs/', import.meta.url)
  const names = await readdir(docs, { recursive: true })
  const pages = names.filter((name) => name.endsWith('.md') && !name.startsWith('services/'))
  const texts = await Promise.all(pages.map((name) => readFile(new URL(name, docs), 'utf8')))
  const named = new Set([readme, ...texts].join('\n').match(/--[\w-]+/g))
  expect([...options].filter((option) => !named.has(option))).toEqual([])
})
