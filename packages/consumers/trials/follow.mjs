import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freePorts } from '@webhook-receiver/tools/free-ports.mjs'
import { run } from '@webhook-receiver/tools/step.mjs'

/** How long a server may take until it answers anything, in milliseconds. */
const START_TIME = 120_000

/** How long a line that a server prints may take from there to here, in milliseconds. */
const PRINT_TIME = 5000

/**
 * Does what a page says, in an empty folder and with an empty cache of npm, as far as the answers to a genuine and a forged
 * delivery. Only the port is another one.
 *
 * @returns the seconds of each step until the first delivery was answered.
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
  const server = start(onPort(trial.start), project, env)
  try {
    await timed('start', () => untilAnswered(port, server))
    const genuine = await timed('delivery', () => shell(trial.genuine, elsewhere))
    assert.match(genuine, /\b204\b/)
    await printed(server, /^message\.received [0-9a-f-]{36}$/m)
    const forged = await shell(trial.forged, elsewhere).catch((error) => error.message)
    assert.match(forged, /\b401\b/)
    await printed(server, /\[webhook-receiver\] 401 signature_mismatch/)
    const handled = server.output().match(/^message\.received /gm)
    assert.equal(handled?.length, 1, 'The handler ran for the forged delivery too.')
    return seconds
  } catch (error) {
    error.message += `\n${server.output()}`
    throw error
  } finally {
    await server.stop()
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

function start(line, cwd, env) {
  // A group of its own, so that what it starts ends with it.
  const child = spawn('sh', ['-c', line], {
    cwd,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const closed = once(child, 'close')
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text
    })
  }
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  return {
    hasEnded,
    output: () => output,
    async stop() {
      if (!hasEnded()) process.kill(-child.pid, 'SIGKILL')
      await closed
    },
  }
}

async function untilAnswered(port, server) {
  const end = Date.now() + START_TIME
  for (;;) {
    const answered = await fetch(`http://localhost:${port}/`).then(
      () => true,
      () => false,
    )
    if (answered) return
    if (server.hasEnded() || Date.now() > end) throw new Error('The server does not answer.')
    await delay(100)
  }
}

async function printed(server, pattern) {
  const end = Date.now() + PRINT_TIME
  while (!pattern.test(server.output())) {
    if (Date.now() > end) throw new Error(`The server did not print ${pattern}.`)
    await delay(50)
  }
}
