// Rehearses a release, and follows the README of each package that was released.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { flag, oneOf, readCommandLine } from '../command-line.mjs'
import { publicPackages } from '../pack.mjs'
import { withCleanup } from '../runs.mjs'
import { run, step } from '../step.mjs'
import { markdownTable } from '../table.mjs'
import { copyCheckout } from './checkout.mjs'
import { follow } from './example.mjs'
import { startRegistry } from './registry.mjs'
import { release } from './release.mjs'

const NAMES = (await publicPackages()).map(({ folder }) => folder)

const USAGE = `npm run prove -- rehearsal [options]
Releases a copy of this checkout to a registry on this machine, then installs each package as its README says and runs
the first example there. Nothing is sent to npm, and nothing in the checkout changes.
  --only NAME   follow the README of one package only: ${NAMES.join(', ')}
  --keep        leave the temporary folder behind, to look into
The examples of the stores use REDIS_URL and DATABASE_URL, or the standard ports.`

const { only, keep } = readCommandLine(USAGE, { only: oneOf(NAMES), keep: flag() })

await withCleanup(async (onEnd) => {
  const folder = await mkdtemp(join(tmpdir(), 'webhook-receiver-release-'))
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 5 })
  onEnd(keep ? () => console.log(`kept: ${folder}`) : remove)

  const checkout = join(folder, 'checkout')
  console.log(await step('copy the checkout', () => copyCheckout(checkout)))
  const { packageManager } = JSON.parse(await readFile(join(checkout, 'package.json'), 'utf8'))
  const install = () =>
    run('npx', ['-y', packageManager, 'install', '--frozen-lockfile'], {
      cwd: checkout,
      env: { ...process.env, CI: 'true' },
    })
  await step('install', install)
  const registry = await step('start the registry', () => startRegistry(join(folder, 'registry')))
  onEnd(registry.remove)

  const { packages, problems } = await release(checkout, registry, install)
  const results = []
  for (const published of packages) {
    const name = published.folder.split('/')[1]
    if (only && name !== only) continue
    const at = { checkout, env: registry.env, folder: join(folder, 'users', name) }
    results.push(await step(published.name, () => follow(published, at)))
  }
  report(results, problems, registry.version)
})

function report(results, problems, registry) {
  const head = ['package', 'version', 'README says', 'seconds', 'first example', 'result']
  const rows = results.map((result) => [
    result.name,
    result.version,
    `\`${result.install}\``,
    result.seconds.toFixed(1),
    result.saw,
    result.problems.length > 0 ? 'FAILED' : 'ok',
  ])
  console.log(`\n${markdownTable(head, rows)}\n\nNode ${process.versions.node}, ${registry}`)
  const all = [
    ...problems,
    ...results.flatMap(({ name, problems: own }) => own.map((one) => `${name}: ${one}`)),
  ]
  for (const problem of all) console.error(`\n${problem}`)
  if (all.length > 0) process.exitCode = 1
}
