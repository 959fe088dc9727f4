import { join } from 'node:path'
import { pairwise, run } from '@webhook-receiver/tools/step.mjs'
import { tryConsumer } from './deliver.mjs'
import { ENDS, FRAMEWORKS, versionOf } from './install.mjs'

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
    // What a handler throws does not depend on how the packages were loaded.
    if (modules === 'import') problems.push(...(await failuresOf(where, framework, node)))
    return { name: `${framework}${version}, ${modules}`, saw: statuses.join(' '), problems }
  })
}

/** What is wrong where handlers throw; each value that is not answered takes ten seconds. */
async function failuresOf(folder, framework, node = process.execPath) {
  // Conditions or loaders of this process would not be those of a user.
  const env = { ...process.env, NODE_OPTIONS: '' }
  return JSON.parse(await run(node, ['failures.mjs', framework], { cwd: folder, env }))
}
