// The code blocks of the documents that need packages which this checkout does not have.
import { join } from 'node:path'
import { flag, readCommandLine, refuse, text } from '@webhook-receiver/tools/command-line.mjs'
import { pairwise } from '@webhook-receiver/tools/step.mjs'
import { terminalTable } from '@webhook-receiver/tools/table.mjs'
import { writeEvidence } from './blocks/evidence.mjs'
import { findBlocks, nameOf } from './blocks/find.mjs'
import { triesOf, tryBlock } from './blocks/try.mjs'
import { withPackedPackages } from './registry.mjs'

const USAGE = `npm run blocks -- [options]

Checks the types of the code blocks in docs that need packages of others (needs= behind \`\`\`ts), and of the guides' servers,
against the packed packages. Sends each server a forged and a genuine delivery.

  --only TEXT   the blocks whose page or heading contains it
  --write       puts the results into docs/evidence/blocks.md
KEEP=1 keeps the folder that everything is installed in.`

const { only = '', write } = readCommandLine(USAGE, { only: text(), write: flag() })
if (write && only) refuse('--write needs the results of all blocks.', USAGE)
const blocks = findBlocks().filter((block) => nameOf(block).includes(only))
if (blocks.length === 0) refuse(`The blocks are:\n${findBlocks().map(nameOf).join('\n')}`, USAGE)

await withPackedPackages(async ({ folder, registry }) => {
  const attempts = blocks.flatMap(triesOf).map((attempt, index) => ({ attempt, index }))
  const results = await pairwise(attempts, async ({ attempt, index }) => {
    const where = { folder: join(folder, `block-${index}`), registry }
    const found = await tryBlock(attempt, where).catch((error) => ({
      versions: [],
      saw: '',
      problems: [error.message],
    }))
    console.error(`${found.problems.length > 0 ? 'FAILED' : 'ok    '}  ${nameOf(attempt)}`)
    return { ...attempt, ...found }
  })
  const rows = results.map(({ versions, saw, problems, ...attempt }) => [
    nameOf(attempt),
    versions.join(', '),
    problems.length > 0 ? 'FAILED' : `ok: ${saw || 'only compiled'}`,
  ])
  console.log(terminalTable(['block', 'versions', 'result'], rows))
  const failed = results.filter(({ problems }) => problems.length > 0)
  for (const result of failed) console.error(`\n${nameOf(result)}\n${result.problems.join('\n')}`)
  console.log(`\n${results.length - failed.length} of ${results.length} passed`)
  if (failed.length > 0) process.exitCode = 1
  else if (write) await writeEvidence(results)
})
