import { spawn } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { freePorts } from '../free-ports.mjs'
import { run } from '../step.mjs'

/** The newest version that runs on Node 20.19. */
const VERDACCIO = '6.8.0'

/** How long the registry may take to start, in milliseconds. */
const START_TIME = 60_000

/**
 * Starts an empty registry. The packages of this project come from nowhere else; all others come from the registry
 * that npm is configured for.
 */
export async function startRegistry(folder) {
  await mkdir(folder)
  const upstream = (await run('npm', ['config', 'get', 'registry'])).trim()
  const manifest = {
    dependencies: { verdaccio: VERDACCIO },
    // A part of verdaccio asks for it by a tag, and a mirror may have no tags.
    overrides: { 'node-fetch': '^2.7.0' },
  }
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest))
  await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd: folder })

  const [port] = await freePorts(1)
  const url = `http://127.0.0.1:${port}/`
  const configuration = {
    storage: join(folder, 'storage'),
    uplinks: { upstream: { url: upstream, timeout: '60s', max_fails: 20 } },
    packages: {
      '@webhook-receiver/*': { access: '$all', publish: '$all', unpublish: '$all' },
      '**': { access: '$all', proxy: 'upstream' },
    },
    max_body_size: '50mb',
    web: { enable: false },
    log: { type: 'file', path: join(folder, 'verdaccio.log'), level: 'http' },
  }
  // JSON is YAML.
  await writeFile(join(folder, 'config.yaml'), JSON.stringify(configuration))
  // npm publishes only with a token. Verdaccio takes any: here everybody may publish.
  const npmrc = join(folder, 'npmrc')
  await writeFile(npmrc, `//127.0.0.1:${port}/:_authToken=rehearsal\n`)

  const main = join(folder, 'node_modules/verdaccio/bin/verdaccio')
  const child = spawn(
    process.execPath,
    [main, '--config', join(folder, 'config.yaml'), '--listen', `127.0.0.1:${port}`],
    { stdio: 'ignore', cwd: folder },
  )
  const remove = () => child.kill('SIGKILL')
  for (const end = Date.now() + START_TIME; ; await setTimeout(100)) {
    const response = await fetch(`${url}-/ping`).catch(() => undefined)
    if (response?.ok) break
    if (child.exitCode !== null || Date.now() > end) {
      remove()
      throw new Error(`verdaccio ${VERDACCIO} does not respond.`)
    }
  }
  return {
    version: `verdaccio ${VERDACCIO}`,
    /** With these, commands install and publish here. */
    env: {
      ...process.env,
      npm_config_registry: url,
      npm_config_userconfig: npmrc,
    },
    /** All that the registry knows of a package; undefined for one that was not published. */
    async look(name) {
      const response = await fetch(url + name.replace('/', '%2f'))
      if (response.status === 404) return undefined
      if (!response.ok)
        throw new Error(`The registry responds with ${response.status} for ${name}.`)
      return response.json()
    },
    remove,
  }
}
