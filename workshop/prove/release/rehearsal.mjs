// Rehearses a release with the commands of the release workflow, and follows the README of each package that was released.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { oneOf, readCommandLine } from '../command-line.mjs'
import { freePorts } from '../free-ports.mjs'
import { STORES } from '../lists.mjs'
import { copyCheckout, inTemporaryFolder, publicPackages } from '../pack.mjs'
import { versionOf } from '../packed/install.mjs'
import { serveRegistry } from '../packed/registry.mjs'
import { receiveIn } from '../receive.mjs'
import { conclude, run, step } from '../step.mjs'
import { firstSteps } from './readme.mjs'

const PACKAGES = await publicPackages()

const { only } = readCommandLine(
  'prove -- rehearsal',
  `Releases a copy of this checkout to a registry on this machine, then installs each package as its README says and runs the first example
there, unless it needs a server. Nothing is sent to npm, and nothing in the checkout changes. KEEP=1 leaves the temporary folder behind.`,
  {
    only: oneOf(
      PACKAGES.map(({ folder }) => folder),
      'follow the README of one package only',
    ),
  },
)

/** What the release workflow runs too. */
const BUMP = 'npm run bump'
const PACK = 'npm run prove -- tarballs'
const PUBLISH = 'node workshop/prove/release/publish.mjs'

/** Loads TypeScript, in a folder that has none. */
const TSX = import.meta.resolve('tsx')

/** The packages whose first example needs a server of others, or a newer Node: `npm test` checks its types, and `npm run break -- recipes` runs those of stores. */
const LOADED_ONLY = ['client', 'schemes', ...STORES, 'inbox']

/** As NestJS has them. */
const SETTINGS = { compilerOptions: { experimentalDecorators: true, emitDecoratorMetadata: true } }

await inTemporaryFolder(async (folder) => {
  const checkout = join(folder, 'checkout')
  await step('copy the checkout', () => prepare(checkout))
  const registry = await serveRegistry()
  try {
    const version = await release(checkout, registry)
    const results = []
    for (const { folder: name, name: own } of PACKAGES) {
      if (only && name !== only) continue
      const home = join(folder, 'users', name)
      await mkdir(home, { recursive: true })
      await registry.writeSettings(home)
      const readme = await readFile(join(checkout, 'packages', name, 'README.md'), 'utf8')
      const trial = { name, own, version, readme, folder: home, env: registry.environment() }
      results.push(await step(name, () => follow(trial)))
    }
    conclude(results)
  } finally {
    registry.close()
  }
})

/** A copy with something to release: changesets asks git for the commit of each changeset. */
async function prepare(checkout) {
  await copyCheckout(checkout)
  const changesets = await readdir(join(checkout, '.changeset'))
  // A release has used all of them up.
  if (!changesets.some((file) => /\.md$/.test(file) && file !== 'README.md')) {
    const text = '---\n"@webhook-receiver/core": patch\n---\n\nA rehearsal.\n'
    await writeFile(join(checkout, '.changeset/rehearsal.md'), text)
  }
  const commit = 'git init --quiet && git add --all && git commit --quiet --message Copy'
  const author = ['user.name=rehearsal', 'user.email=rehearsal@localhost', 'commit.gpgsign=false']
  const flags = author.map((setting) => `-c ${setting}`).join(' ')
  await run('sh', ['-ec', commit.replace('git commit', `git ${flags} commit`)], { cwd: checkout })
}

/** Gives the version that was released. */
async function release(checkout, registry) {
  const shell = (command) => step(command, () => run('sh', ['-c', command], { cwd: checkout }))
  const versionNow = async () => {
    const manifest = await readFile(join(checkout, 'packages/core/package.json'), 'utf8')
    return JSON.parse(manifest).version
  }
  const workflow = await readFile(join(checkout, '.github/workflows/release.yml'), 'utf8')
  for (const command of [BUMP, PACK, PUBLISH]) assert.ok(workflow.includes(command), command)

  const { packageManager } = JSON.parse(await readFile(join(checkout, 'package.json'), 'utf8'))
  const install = `npx -y ${packageManager} install --frozen-lockfile`
  const old = await versionNow()
  await shell(`${install} --ignore-scripts`)
  await shell(BUMP)
  const version = await versionNow()
  assert.notEqual(version, old)
  // The examples are copied by others, so they should ask for what is published now.
  const left = `! git grep -E 'webhook-receiver/[a-z-]+(": "|@)\\^${old}"' -- 'examples/*.json'`
  await shell(left)
  // The workflow begins again when the pull request with the versions is merged.
  await shell(install)
  await shell(`${PACK} ../tarballs`)
  await registry.writeSettings(checkout, 'publish')
  await shell(`${PUBLISH} ../tarballs`)
  // The registry takes no version twice.
  await shell(`${PUBLISH} ../tarballs`)
  return version
}

/** Does what a README says first, in an empty folder. */
async function follow(trial) {
  const problems = []
  const saw = await tryReadme(trial).catch((error) => {
    problems.push(error.message)
  })
  return { name: trial.name, saw, problems }
}

async function tryReadme({ name, own, version, readme, folder, env }) {
  const { install, program, command } = firstSteps(readme)
  const shell = (line) => run('sh', ['-c', line], { cwd: folder, env })
  await writeFile(join(folder, 'package.json'), '{}')
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(SETTINGS))
  await shell(install)
  assert.equal(await versionOf(folder, own), version, install)
  if (!program) {
    assert.match(await shell(command), /^Usage: /m)
    return command
  }
  const [port] = await freePorts(1)
  const file = name === 'conformance' ? 'example.test.mts' : `example.m${program.language}`
  await writeFile(join(folder, file), program.code.replaceAll('3000', String(port)))
  if (LOADED_ONLY.includes(name)) {
    await shell(`node -e "require('${own}'); import('${own}')"`)
    return 'loads'
  }
  if (name === 'conformance') {
    const [summary = 'nothing'] = /\d+ cases run, .*/.exec(await shell('npx vitest run')) ?? []
    assert.match(summary, /^[1-9]\d* cases run, 0 wrong, 0 uncaught errors/)
    return summary
  }
  const where = { folder, file, port, flags: ['--import', TSX] }
  const received = await receiveIn({ ...where, code: program.code })
  if (!received) return runToItsEnd({ folder, file, port })
  assert.equal(received.runs, 1, received.printed.stdout)
  return received.saw
}

/** With a receiver for what it sends. */
async function runToItsEnd({ folder, file, port }) {
  const receiver = createServer((_, response) => response.writeHead(204).end()).listen(port)
  await once(receiver, 'listening')
  try {
    await run(process.execPath, ['--import', TSX, file], { cwd: folder })
    return 'runs to its end'
  } finally {
    receiver.close()
  }
}
