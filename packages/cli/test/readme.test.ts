import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { invoke } from './invoke.ts'

const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')

/** Every call of the program in a code block, as its words. */
const calls = [...readme.matchAll(/^```(?:sh|text)\n([\s\S]*?)^```/gm)].flatMap(([, block = '']) =>
  block
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .flatMap((line) => /^(?:\$ )?(?:npx )?webhook-receiver (.*)$/.exec(line)?.[1] ?? []),
)

it.each(calls)('knows every option of: %s', async (call) => {
  const [command = '', ...words] = call.split(/\s+/)
  const { code, out } = await invoke([command, '--help'])
  expect(code).toBe(0)
  for (const word of words.filter((word) => word.startsWith('--'))) {
    expect(out).toContain(`  ${word} `)
  }
})

it('lists every command', async () => {
  const { out } = await invoke(['--help'])
  const commands = [...out.matchAll(/^ {2}([a-z]+) .*/gm)].map(([, name]) => name)
  const rows = [...readme.matchAll(/^\| `([a-z]+)[ `].*\|/gm)].map(([, name]) => name)
  expect(rows).toEqual(commands)
})
