// The packed packages on each line of Node, and their types under each line of TypeScript.
import { cp, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { arch, platform } from 'node:process'
import { fileURLToPath } from 'node:url'
import { inTemporaryFolder, packAll } from '@webhook-receiver/tools/pack.mjs'
import { conclude, pairwise, step } from '@webhook-receiver/tools/step.mjs'
import { checkEntries, installEntries } from './packed/entries.mjs'
import { ENDS, install, installConsumer, versionOf } from './packed/install.mjs'
import { serveAll } from './packed/serve.mjs'
import { RESOLUTIONS, typecheck } from './packed/typecheck.mjs'

const PACKAGES = fileURLToPath(new URL('../', import.meta.url))

/** The first release that is supported, then the newest of each line. */
const NODES = ['20.19.0', '20', '22', '24', '26']
const TYPESCRIPTS = ['5.9', '6', '7']

/** The package that holds nothing but the binary. */
const BINARY = `node-${platform === 'win32' ? 'win' : platform}-${arch}`

/** What the type tests import. Of vitest they use what it takes from expect-type. */
const TYPE_TESTS = {
  '@koa/router': '15',
  arktype: '2',
  valibot: '1',
  vitest: 'npm:expect-type@1',
  zod: '4',
}

await inTemporaryFolder(async (folder) => {
  const at = (name) => join(folder, name)
  const tarballs = await step('pack', () => packAll(at('packed')))
  await step('install every package without its peers', () => installEntries(at('alone'), tarballs))
  await pairwise(ENDS, (end) =>
    step(`install with the ${end} peers`, async () => {
      await installConsumer(at(end), tarballs, end, TYPE_TESTS)
      await copyTypeTests(at(end))
    }),
  )
  await step(`install Node ${NODES.join(', ')}`, () => installAs(at('nodes'), BINARY, NODES))
  await step(`install TypeScript ${TYPESCRIPTS.join(', ')}`, () =>
    installAs(at('compilers'), 'typescript', TYPESCRIPTS),
  )

  const results = []
  for (const line of NODES) {
    results.push(await step(`run on Node ${line}`, () => runOn(line, folder)))
  }
  for (const line of TYPESCRIPTS) {
    results.push(...(await step(`compile with TypeScript ${line}`, () => compile(line, folder))))
  }
  conclude(results)
})

/** Several versions of one package, each in a folder named for its version. */
function installAs(folder, name, versions) {
  const aliases = versions.map((version) => [`v${version}`, `npm:${name}@${version}`])
  return install(folder, {}, Object.fromEntries(aliases))
}

async function runOn(line, folder) {
  const node = join(folder, 'nodes/node_modules', `v${line}`, 'bin/node')
  const served = await serveAll(folder, node)
  const entries = await checkEntries(join(folder, 'alone'), node)
  return {
    name: `Node ${(await versionOf(join(folder, 'nodes'), `v${line}`)).replace('v', '')}`,
    saw: `${served.filter(({ problems }) => problems.length === 0).length} of ${served.length} servers, import and require of every entry point`,
    problems: [
      ...served.flatMap(({ name, problems }) => problems.map((problem) => `${name}: ${problem}`)),
      ...entries,
    ],
  }
}

async function compile(line, folder) {
  const compilers = join(folder, 'compilers')
  const version = await versionOf(compilers, `v${line}`)
  const tsc = join(compilers, 'node_modules', `v${line}`, 'bin/tsc')
  const runs = ENDS.flatMap((end) => RESOLUTIONS.map((resolution) => ({ end, resolution })))
  return pairwise(runs, async ({ end, resolution }) => {
    const where = join(folder, end)
    const files = (await readdir(where)).filter((file) => file.endsWith('.test-d.mts'))
    const versions = ['@types/express', '@types/koa'].map(
      async (name) => `${name} ${await versionOf(where, name)}`,
    )
    return {
      name: `TypeScript ${version}, ${resolution}, ${(await Promise.all(versions)).join(', ')}`,
      saw: `the consumer and ${files.length} type tests`,
      problems: await typecheck({ folder: where, tsc, resolution, files }),
    }
  })
}

async function copyTypeTests(folder) {
  for (const name of await readdir(PACKAGES)) {
    const tests = await readdir(join(PACKAGES, name, 'test')).catch(() => [])
    for (const test of tests.filter((file) => file.endsWith('.test-d.ts'))) {
      const copy = `${name}-${test.replace(/\.ts$/, '.mts')}`
      await cp(join(PACKAGES, name, 'test', test), join(folder, copy))
    }
  }
}
