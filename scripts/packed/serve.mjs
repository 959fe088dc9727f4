import { join } from 'node:path'
import { tryConsumer } from './deliver.mjs'
import { ENDS, FRAMEWORKS, versionOf } from './install.mjs'
import { pairwise } from './step.mjs'

const MODULES = { import: 'esm.mjs', require: 'cjs.cjs' }

/** Runs the application of each framework, at both ends of its range, as ESM and as CommonJS. */
export function serveAll(folder, node) {
  const runs = FRAMEWORKS.flatMap((framework) =>
    ENDS.flatMap((end) => Object.keys(MODULES).map((modules) => ({ framework, end, modules }))),
  ).filter(({ framework, end }) => framework !== 'node' || end === 'newest')
  return pairwise(runs, async ({ framework, end, modules }) => {
    const where = join(folder, end)
    const version = framework === 'node' ? '' : ` ${await versionOf(where, framework)}`
    const { statuses, problems } = await tryConsumer({
      node,
      folder: where,
      file: MODULES[modules],
      framework,
    })
    return { name: `${framework}${version}, ${modules}`, saw: statuses.join(' '), problems }
  })
}
