import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePorts } from './free-ports.mjs'
import { startProgram } from './program.mjs'

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
  // It does not run as root.
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  const program = startProgram('pgbouncer', [...user, file], {
    env: { PATH: `${process.env.PATH}:/usr/sbin:/sbin` },
  })
  async function stop() {
    await program.stop().catch(() => {})
    await rm(folder, { recursive: true })
  }

  try {
    await program.printed(/process up/)
  } catch (cause) {
    await stop()
    const line = 'PgBouncer could not be started. On Debian: apt-get install pgbouncer'
    throw new Error(line, { cause })
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
