import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { freePorts } from './free-ports.mjs'

/**
 * @typedef {object} Bouncer
 * @property {string} url the address of the database by way of the pooler
 * @property {() => Promise<void>} stop
 */

/**
 * Starts a PgBouncer that lends its two connections to PostgreSQL for one transaction at a time.
 *
 * @param {string} database
 * @returns {Promise<Bouncer>}
 */
export async function startBouncer(database) {
  const folder = await mkdtemp(join(tmpdir(), 'webhook-pgbouncer-'))
  const [port = 0] = await freePorts(1)
  const file = join(folder, 'pgbouncer.ini')
  await writeFile(file, configuration(new URL(database), port))
  // It rejects to run as root.
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  const child = spawn('pgbouncer', [...user, file], {
    env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const log = []
  const up = new Promise((resolve, reject) => {
    child.once('error', (cause) => {
      const line = 'PgBouncer could not be started. On Debian: apt-get install pgbouncer'
      reject(new Error(line, { cause }))
    })
    child.once('exit', () => reject(new Error(`PgBouncer ended:\n${log.join('\n')}`)))
    createInterface(child.stderr).on('line', (line) => {
      log.push(line)
      if (line.includes('process up')) resolve()
    })
  })

  async function stop() {
    if (child.pid !== undefined && child.exitCode === null) {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    }
    await rm(folder, { recursive: true })
  }

  try {
    await up
  } catch (error) {
    await stop()
    throw error
  }
  const url = new URL(database)
  url.hostname = '127.0.0.1'
  url.port = String(port)
  return { url: url.href, stop }
}

/** @param {URL} url */
function configuration({ hostname, port, pathname, username, password }, own) {
  const name = pathname.slice(1)
  const user = username === '' ? 'postgres' : username
  const secret = password === '' ? '' : ` password=${password}`
  return `[databases]
${name} = host=${hostname} port=${port || 5432} dbname=${name} user=${user}${secret}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 2
`
}
