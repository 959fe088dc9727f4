import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Redis } from 'ioredis'
import pg from 'pg'
import { NotTried } from './not-tried.mjs'

/** How long a server may take to answer after it was started, in milliseconds. */
const PATIENCE = 30_000

/** A Redis of its own: it has every write on disk before it answers, or forgets everything when it ends. */
export function redisServer({ forgets }) {
  return server(async (folder, port) => {
    const redisUrl = `redis://127.0.0.1:${port}`
    return {
      name: 'Redis',
      command: programOf('redis-server', []),
      args: [
        ...['--port', port, '--bind', '127.0.0.1', '--dir', folder, '--save', ''],
        ...(forgets ? [] : ['--appendonly', 'yes', '--appendfsync', 'always']),
      ],
      services: { redisUrl },
      stopSignal: 'SIGTERM',
      answers: () => expectRedis(redisUrl),
    }
  })
}

/** A PostgreSQL of its own. It does not run as root, so where this does, it runs as the user postgres. */
export function postgresServer() {
  return server(async (folder, port) => {
    const user = process.getuid?.() === 0 ? idsOf('postgres') : {}
    if (user.uid !== undefined) chownSync(folder, user.uid, user.gid)
    const data = join(folder, 'data')
    const initdb = programOf('initdb', postgresFolders())
    execFileSync(initdb, ['-D', data, '-U', 'postgres', '-A', 'trust', '--no-sync'], {
      ...user,
      stdio: 'ignore',
      cwd: folder,
    })
    const connectionString = `postgres://postgres@127.0.0.1:${port}/postgres`
    return {
      name: 'PostgreSQL',
      command: programOf('postgres', postgresFolders()),
      args: ['-D', data, '-p', port, '-k', folder, '-c', 'listen_addresses=127.0.0.1'],
      user,
      services: { databaseUrl: connectionString },
      // The fast shutdown: connections are cut, and nothing is waited for.
      stopSignal: 'SIGINT',
      answers: () => expectPostgres(connectionString),
    }
  })
}

/** Rejects with the reason where no Redis answers. */
export async function expectRedis(url) {
  const redis = new Redis(url, { lazyConnect: true, retryStrategy: () => null })
  let reason
  redis.on('error', (error) => {
    reason = error
  })
  try {
    await redis.connect()
    await redis.ping()
  } catch (error) {
    // The client itself says only that the connection is closed.
    throw reason ?? error
  } finally {
    redis.disconnect()
  }
}

/** Rejects with the reason where no PostgreSQL lets this user in. */
export async function expectPostgres(connectionString) {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 1000 })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('SELECT 1')
  } finally {
    await client.end().catch(() => {})
  }
}

/** A server in a folder and on a port of its own: `start`, `stop(signal)`, and `remove` for all of it. */
async function server(prepare) {
  const folder = mkdtempSync(join(tmpdir(), 'webhook-outage-'))
  const removeFolder = () =>
    // What a server itself had started may need a moment more.
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  const { name, command, args, user, services, stopSignal, answers } = await prepare(
    folder,
    await freePort(),
  ).catch((error) => {
    removeFolder()
    throw error
  })
  let child
  let removed = false

  async function start() {
    const end = Date.now() + PATIENCE
    for (;;) {
      if (removed) throw new Error(`${command} is not started any more.`)
      if (!child || child.exitCode !== null || child.signalCode !== null) {
        child = spawn(command, args.map(String), { ...user, cwd: folder, stdio: 'ignore' })
      }
      try {
        await answers()
        return
      } catch (error) {
        if (Date.now() > end) throw new Error(`${command} does not answer.`, { cause: error })
        await delay(20)
      }
    }
  }

  async function stop(signal = stopSignal) {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const exit = once(child, 'exit')
    child.kill(signal)
    await exit
  }

  return {
    services,
    version: `${name} ${/\d+(\.\d+)+/.exec(execFileSync(command, ['--version'], { encoding: 'utf8' }))?.[0]}`,
    start,
    stop,
    async remove() {
      removed = true
      await stop('SIGKILL')
      removeFolder()
    },
  }
}

function programOf(name, folders) {
  const paths = [...folders, ...(process.env.PATH ?? '').split(':')].map((path) => join(path, name))
  const found = paths.find((path) => existsSync(path))
  if (found) return found
  throw new NotTried(`${name} is not installed. Looked for ${paths.join(', ')}.`)
}

/** Debian keeps the programs of each version in a folder that is in nobody's PATH. */
function postgresFolders() {
  const versions = '/usr/lib/postgresql'
  if (!existsSync(versions)) return []
  return readdirSync(versions)
    .sort((one, other) => Number(other) - Number(one))
    .map((version) => join(versions, version, 'bin'))
}

function idsOf(user) {
  const id = (flag) => Number(execFileSync('id', [flag, user], { encoding: 'utf8', stdio: 'pipe' }))
  try {
    return { uid: id('-u'), gid: id('-g') }
  } catch (cause) {
    throw new NotTried(`PostgreSQL does not run as root, and there is no user ${user}.`, { cause })
  }
}

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address()
  probe.close()
  await once(probe, 'close')
  return port
}
