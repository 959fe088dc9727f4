import { expect, test } from 'vitest'
import { documents, read } from './documents.ts'
import { findMissing } from './shell-lines.ts'

test('every command, script, package and file in a shell line of the documents exists', async () => {
  const missing = await Promise.all(
    documents.map(async (name) => findMissing(name, await read(name)).map((one) => [name, one])),
  )
  expect(missing.flat()).toEqual([])
})

test.each([
  'npm run nosuchjob -- --only express',
  'npm run nosuchjob   # a comment',
  'npm --prefix packages/cli run nosuchjob',
  'npm nosuchjob',
  'export A=1 && npm run nosuchjob && npm test',
  'A=1 nosuchprogram',
  'npm run demo | nosuchprogram',
  'a="$(nosuchprogram)"',
  'npm run demo \\\n  && nosuchprogram',
  'npx nosuchpackage',
  'npx -y pnpm@1.0.0 install',
  'npx @webhook-receiver/cli nosuchcommand http://localhost:3000',
  'webhook-receiver nosuchcommand',
  'npm install @webhook-receiver/nosuchpackage',
  'node nosuchfile.mjs',
])('what does not exist is found in: %s', (line) => {
  expect(findMissing('README.md', `\`\`\`sh\n${line}\n\`\`\`\n`)).toHaveLength(1)
  const inList = `1. First:\n   \`\`\`sh\n   ${line}\n   \`\`\`\n`
  expect(findMissing('README.md', inList)).toHaveLength(1)
})

test('what does not exist is found in a line of prose', () => {
  expect(findMissing('README.md', 'Run `npm run nosuchjob` or `npm test`.')).toHaveLength(1)
})
