// Follows the first page of the documentation literally, as a new user does: for each framework it installs, saves the server and starts
// it in an empty folder, with the packed packages, and sends it a valid delivery and a forged request.
import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { freePorts } from '../free-ports.mjs'
import { tryRows } from '../packed/rows.mjs'
import { runtimeOf } from '../packed/runtimes/install.mjs'
import { withServer } from '../receive.mjs'
import { run } from '../step.mjs'
import { FRAMEWORKS, trialsOf } from './start-page.mjs'

const rows = FRAMEWORKS.flatMap(trialsOf).map((trial, index) => ({
  name: `${trial.framework}, ${trial.variation}`,
  async run(context) {
    const runtimes = await Promise.all(runtimesOf(trial).map((id) => runtimeOf(context, id)))
    const path = [...runtimes.map(({ binary }) => dirname(binary)), process.env.PATH]
    const env = { PATH: path.join(delimiter) }
    const { registry } = context
    await follow(trial, { folder: context.path(`trial-${index}`), registry, env })
    return { saw: 'valid 204, forged 401', problems: [] }
  },
}))

await tryRows('prove -- start', rows)

/** What a page takes for granted, beside the Node that this script runs on. */
function runtimesOf({ start, node }) {
  const named = ['bun', 'deno'].filter((id) => start.includes(` ${id} `))
  return node > Number.parseInt(process.versions.node, 10) ? [...named, 'node24'] : named
}

/**
 * Does what a page says, in an empty folder and with an empty cache of npm, as far as the responses to a valid and a forged
 * delivery. Only the port is another one.
 */
async function follow(trial, { folder, registry, env: variables }) {
  const [port] = await freePorts(1)
  const onPort = (text) => text.replaceAll('3000', String(port))
  const [project, elsewhere] = ['project', 'second-terminal'].map((name) => join(folder, name))
  for (const each of [project, elsewhere]) await mkdir(each, { recursive: true })
  const env = await environment(folder, registry, { ...variables, PORT: String(port) })
  const shell = (line, cwd, variables = env) =>
    run('sh', ['-ec', onPort(line)], { cwd, env: variables })
  const send = (line) => shell(line, elsewhere, registry.environment(env))

  for (const line of trial.install) await shell(line, project)
  await mkdir(dirname(join(project, trial.file)), { recursive: true })
  await writeFile(join(project, trial.file), onPort(trial.code))
  for (const { file, code } of trial.settings) await writeFile(join(project, file), code)
  const where = { port, cwd: project, env }
  await withServer(['sh', '-c', onPort(trial.start)], where, async (server) => {
    assert.match(await send(trial.valid), /\b204\b/)
    await server.printed(/^invoice\.paid evt_[0-9a-f]{32}$/m)
    const forged = await send(trial.forged).catch((error) => error.message)
    assert.match(forged, /\b401\b/)
    await server.printed(/\[webhook-receiver\] 401 signature_mismatch/)
    const handled = server.output().stdout.match(/^invoice\.paid /gm)
    assert.equal(handled?.length, 1, 'The handler ran for the forged delivery too.')
  })
}

/** What a new user has: no cache, no variables of this run, and the registries that this machine uses. */
async function environment(folder, registry, variables) {
  await registry.writeSettings(folder)
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^npm_|^NODE_OPTIONS$/i.test(name),
  )
  return {
    ...Object.fromEntries(inherited),
    ...variables,
    NO_COLOR: '1',
    NPM_CONFIG_REGISTRY: (await run('npm', ['config', 'get', 'registry'])).trim(),
    NPM_CONFIG_USERCONFIG: join(folder, '.npmrc'),
    // Where Deno looks for that file.
    HOME: folder,
    NPM_CONFIG_CACHE: join(folder, 'cache'),
  }
}
