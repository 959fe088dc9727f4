// The code blocks of the documents that need packages which this checkout does not have.
import { join } from 'node:path'
import { flag, readCommandLine, text, usageError } from '../command-line.mjs'
import { inTemporaryFolder } from '../pack.mjs'
import { withPackedPackages } from '../packed/registry.mjs'
import { conclude, pairwise } from '../step.mjs'
import { terminalTable } from '../table.mjs'
import { findBlocks, nameOf } from './blocks/find.mjs'
import { compileTogether } from './blocks/together.mjs'
import { triesOf, tryBlock } from './blocks/try.mjs'

const USAGE = `npm run prove -- blocks [options]

Checks the types of the code blocks in docs that need packages of others (needs= behind \`\`\`ts), and of the guides' servers,
against the packed packages. Sends each server a forged request and a valid delivery.

  --only TEXT   the blocks whose page or heading contains it
  --short       the types of the blocks on the pages of services, against this checkout: what every change has to pass
KEEP=1 keeps the folder that everything is installed in.`

const { only = '', short } = readCommandLine(USAGE, { only: text(), short: flag() })
const blocks = findBlocks()
  .filter((block) => nameOf(block).includes(only))
  .filter(({ document }) => !short || document.startsWith('services/'))
if (blocks.length === 0)
  usageError(`The blocks are:\n${findBlocks().map(nameOf).join('\n')}`, USAGE)

if (short) conclude(await inTemporaryFolder((folder) => compileTogether(blocks, folder)))
else await tryAll()

async function tryAll() {
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
  })
}
