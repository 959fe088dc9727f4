import { cp, mkdir, readdir, readFile, symlink } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { copyCheckout } from '../../pack.mjs'
import { run } from '../../step.mjs'
import { install, versionOf } from '../install.mjs'
import { HOST, runtimeOf } from './install.mjs'

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))
const SUITE = fileURLToPath(new URL('suite/', import.meta.url))
/** What CI does not run it on anyway. */
const RUNTIMES = ['node26', 'bun', 'deno', 'workerd']

/**
 * What a runtime does otherwise than a test expects, one by one. A run is wrong where something else differs, and where one of these does
 * not differ any more.
 */
const { tests: DEVIATIONS } = JSON.parse(
  await readFile(new URL('deviations.json', import.meta.url), 'utf8'),
)

/** The name of what fails where a file fails before it has any test. */
const WHOLE_FILE = 'the whole file'

/** The tests of core, the diagnosis and the schemes on each runtime. */
export const suiteRows = RUNTIMES.map((id) => ({
  name: `tests of core, ${id}`,
  async run(context) {
    const folder = context.path('suite')
    await context.once('suite', () => installSuite(folder))
    const host = await runtimeOf(context, HOST)
    return runSuite(folder, await runtimeOf(context, id), host.binary)
  },
}))

/** Copies the checkout to where only what the tests of core, the diagnosis and the schemes need is installed. */
async function installSuite(folder) {
  await copyCheckout(folder)
  const core = JSON.parse(await readFile(join(ROOT, 'packages/core/package.json'), 'utf8'))
  const others = Object.keys({ ...core.dependencies, ...core.devDependencies })
  const needed = {
    'packages/core': others.filter((name) => !name.startsWith('@webhook-receiver/')),
    'workshop/break': ['fast-check'],
    '': ['@hono/node-server', 'ajv', 'vitest'],
  }
  const versions = Object.entries(needed).flatMap(([part, names]) =>
    names.map(async (name) => [name, await versionOf(join(ROOT, part), name)]),
  )
  // The plugin runs vitest inside workerd, of a release that it brings itself.
  const own = { '@cloudflare/vitest-plugin': '1' }
  await install(folder, { ...Object.fromEntries(await Promise.all(versions)), ...own })
  const scope = join(folder, 'node_modules/@webhook-receiver')
  await mkdir(scope, { recursive: true })
  for (const name of await readdir(join(folder, 'packages'))) {
    await symlink(join(folder, 'packages', name), join(scope, name))
  }
  for (const [name, part] of Object.entries({ suites: 'suites', trials: 'break', checks: 'prove' }))
    await symlink(join(folder, 'workshop', part), join(scope, name))
  await cp(SUITE, folder, { recursive: true })
}

/**
 * Runs the tests on a runtime.
 *
 * @param {import('./install.mjs').Runtime} runtime
 * @param {string} host a Node for what runs beside workerd.
 */
async function runSuite(folder, runtime, host) {
  const output = join(folder, `${runtime.id}.json`)
  const config = `${runtime.kind === 'workerd' ? 'workerd' : 'process'}.config.mjs`
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', config]
  const [file, ...args] = {
    node: [runtime.binary],
    bun: [runtime.binary, '--bun'],
    deno: [runtime.binary, 'run', '--allow-all', '--quiet'],
    workerd: [host],
  }[runtime.kind]
  const env = { ...process.env, NODE_OPTIONS: '', NO_COLOR: '1', NODE_ENV: undefined }
  const report = ['--reporter=json', `--outputFile=${output}`]
  // It exits with 1 where a test fails, which some do; whether those are the expected ones is looked at below.
  const failure = await run(file, [...args, ...vitest, ...report], { cwd: folder, env }).then(
    () => undefined,
    (error) => error,
  )
  const text = await readFile(output, 'utf8').catch(() => {
    throw failure
  })
  return judge(JSON.parse(text), folder, runtime.kind)
}

function judge(report, folder, kind) {
  const deviations = DEVIATIONS[kind].map((deviation) => ({ ...deviation, seen: 0 }))
  let right = 0
  const problems = []
  for (const { name, status, message, assertionResults } of report.testResults) {
    const file = shortName(relative(join(folder, 'packages'), name))
    const failed = assertionResults.filter((test) => test.status === 'failed')
    if (status === 'failed' && failed.length === 0) {
      failed.push({ fullName: WHOLE_FILE, failureMessages: [message] })
    }
    for (const { fullName, failureMessages } of failed) {
      const known = deviations.find(
        (each) => new RegExp(each.file).test(file) && new RegExp(each.name).test(fullName),
      )
      if (known) known.seen++
      else problems.push(`${file}: ${fullName}: ${failureMessages[0]?.split('\n')[0]}`)
    }
    right += assertionResults.filter((test) => test.status === 'passed').length
  }
  const notes = []
  for (const { file, name, seen, why } of deviations) {
    if (seen === 0) problems.push(`${file}: ${name} passes now: take it off the list`)
    else notes.push(`${file}: ${name}: ${why}`)
  }
  return { saw: `${right} tests`, problems, notes }
}

/** `verify/secret.test.ts` for a test of core, `diagnose/bounds.test.ts` for one of the diagnosis. */
function shortName(file) {
  return file.replace('/test/', '/').replace(/^core\//, '')
}
