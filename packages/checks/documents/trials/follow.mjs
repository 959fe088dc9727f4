import assert from 'node:assert/strict'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { freePorts } from '../../free-ports.mjs'
import { startProgram } from '../../program.mjs'
import { untilListening } from '../../receive.mjs'
import { run } from '../../step.mjs'

/**
 * Does what a page says, in an empty folder and with an empty cache of npm, as far as the responses to a valid and a forged
 * delivery. Only the port is another one.
 *
 * @returns the seconds of each step until the first delivery got a response.
 */
export async function follow(trial, { folder, registry, env: variables }) {
  const [port] = await freePorts(1)
  const onPort = (text) => text.replaceAll('3000', String(port))
  const [project, elsewhere] = ['project', 'second-terminal'].map((name) => join(folder, name))
  for (const each of [project, elsewhere]) await mkdir(each, { recursive: true })
  const env = await environment(folder, registry, { ...variables, PORT: String(port) })
  const shell = (line, cwd) => run('sh', ['-ec', onPort(line)], { cwd, env })

  const seconds = {}
  const timed = async (name, work) => {
    const started = performance.now()
    const found = await work()
    seconds[name] = (performance.now() - started) / 1000
    return found
  }
  await timed('install', async () => {
    for (const line of trial.install) await shell(line, project)
  })
  await mkdir(dirname(join(project, trial.file)), { recursive: true })
  await writeFile(join(project, trial.file), onPort(trial.code))
  for (const { file, code } of trial.settings) await writeFile(join(project, file), code)
  const server = startProgram('sh', ['-c', onPort(trial.start)], { cwd: project, env, group: true })
  try {
    await timed('start', () => untilListening(port, server))
    const valid = await timed('delivery', () => shell(trial.valid, elsewhere))
    assert.match(valid, /\b204\b/)
    await server.printed(/^message\.received [0-9a-f-]{36}$/m)
    const forged = await shell(trial.forged, elsewhere).catch((error) => error.message)
    assert.match(forged, /\b401\b/)
    await server.printed(/\[webhook-receiver\] 401 signature_mismatch/)
    const handled = server.output().stdout.match(/^message\.received /gm)
    assert.equal(handled?.length, 1, 'The handler ran for the forged delivery too.')
    return seconds
  } catch (error) {
    error.message += `\n${Object.values(server.output()).join('\n')}`
    throw error
  } finally {
    await server.stop('SIGKILL')
  }
}

/** What a new user has: no cache, no variables of this run, and the registries that this machine uses. */
async function environment(folder, registry, variables) {
  const standard = (await run('npm', ['config', 'get', 'registry'])).trim()
  await registry.writeSettings(folder)
  const settings = `${await readFile(join(folder, '.npmrc'), 'utf8')}registry=${standard}\n`
  await writeFile(join(folder, 'settings'), settings)
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^npm_|^NODE_OPTIONS$/i.test(name),
  )
  return {
    ...Object.fromEntries(inherited),
    ...variables,
    NO_COLOR: '1',
    NPM_CONFIG_USERCONFIG: join(folder, 'settings'),
    NPM_CONFIG_CACHE: join(folder, 'cache'),
    WEBHOOK_SECRET: undefined,
  }
}
