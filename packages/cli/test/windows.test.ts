import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { folder } from './folder.ts'
import { invoke } from './invoke.ts'

const SEND = ['send', 'message.read', 'http://localhost:1/']

// What PowerShell 5 passes and writes: arguments without their quotes, and text in UTF-16 or with a mark.
it.each([
  ['--data-file', '{"text":"hello"}', 'utf16le', 'is in UTF-16'],
  ['--data-file', '{"text":"hello"}', 'utf8', 'begins with a byte order mark'],
  ['--secret-file', 'whsec_x', 'utf16le', 'is in UTF-16'],
  ['--secret-file', 'whsec_x', 'utf8', 'begins with a byte order mark'],
] as const)('names what is around the text of %s: %s in %s', async (flag, text, encoding, what) => {
  const path = join(await folder(), 'file')
  await writeFile(path, Buffer.from(`\ufeff${text}`, encoding))
  const { code, err } = await invoke([...SEND, flag, path])
  expect([code, err.replace(/\s+/g, ' ')]).toEqual([2, expect.stringContaining(what)])
})

it('shows JSON without its quotes, and names --data-file', async () => {
  const { code, err } = await invoke([...SEND, '--data', '{text:hello}'])
  expect([code, err]).toEqual([2, expect.stringContaining('but {text:hello}.')])
  expect(err).toContain('use --data-file')
})
