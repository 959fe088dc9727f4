import { join } from 'node:path'
import { WITHOUT_PEER } from '../../lists.mjs'
import { run } from '../../step.mjs'
import { startNode, tryApplication } from '../deliver.mjs'
import { versionOf } from '../install.mjs'
import { ADAPTERS, compiled, ENDS, PATIENT, withPeers } from '../peers.mjs'
import { installRuntimes } from '../runtimes/install.mjs'
import { tryEntries } from './entries.mjs'

/** The first release that is supported, then the newest of each line. */
const NODES = ['20.19.0', '20', '22', '24', '26']

const FORMATS = { import: 'mjs', require: 'cjs' }

/** The application of each framework at both ends of its range, as ESM and as CommonJS. Without a framework there is one end. */
export const frameworkRows = ADAPTERS.flatMap((framework) =>
  Object.keys(FORMATS).flatMap((format) =>
    ENDS.filter((end) => !WITHOUT_PEER.includes(framework) || end === 'newest').map((end) => ({
      name: `${framework}, ${end}, ${format}`,
      short: true,
      run: (context, node) => tryServer(context, { framework, end, format, node }),
    })),
  ),
)

/** Tests of the adapters, as they are. With the newest peers `npm test` runs them too. */
export const testRows = ENDS.map((end) => ({
  name: `tests of the adapters, ${end}`,
  short: end === 'lowest',
  run: (context, node) => runTests(context, { end, node }),
}))

/** Each of the rows above, and every entry point, on other releases of Node. */
export const nodeRows = NODES.map((line) => ({
  name: `Node ${line}`,
  short: false,
  async run(context) {
    const { binary, version } = await nodeOf(context, line)
    const rows = [...frameworkRows, ...testRows, { name: 'entry points', run: tryEntries }]
    const problems = []
    for (const row of rows) {
      const { problems: found } = await row.run(context, binary)
      problems.push(...found.map((problem) => `${row.name}: ${problem}`))
    }
    return { versions: `node ${version}`, saw: `${rows.length} of the rows`, problems }
  },
}))

async function nodeOf(context, line) {
  const ids = NODES.map((each) => `node${each}`)
  const nodes = await context.once('nodes', () => installRuntimes(context.path('nodes'), ids))
  return nodes.find(({ id }) => id === `node${line}`)
}

async function tryServer(context, { framework, end, format, node }) {
  const { folder, into } = await compiled(context, end, '5.9', 'nodenext')
  const file = join(into, `${framework}.${FORMATS[format]}`)
  const start = (secret) => startNode(secret, { node, cwd: folder, file })
  const result = await tryApplication(start, { parses: true, quiet: true })
  if (WITHOUT_PEER.includes(framework)) return result
  return { versions: `${framework} ${await versionOf(folder, framework)}`, ...result }
}

async function runTests(context, { end, node = process.execPath }) {
  const cwd = await withPeers(context, end)
  const env = { ...process.env, NODE_OPTIONS: '', NO_COLOR: '1' }
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--maxWorkers=1', '--no-isolate']
  const output = await run(node, [...vitest, ...PATIENT], { cwd, env }).catch((error) => error)
  if (output instanceof Error) return { problems: [output.message] }
  return { saw: /Tests +(.*)/.exec(output)?.[1], problems: [] }
}
