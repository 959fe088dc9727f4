import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freePorts } from './free-ports.mjs'
import { postgresProblem } from './postgres.mjs'
import { redisProblem } from './redis.mjs'
import { Unavailable } from './runs.mjs'
import { isListening } from './wire.mjs'

/** How long a server may take to respond after it was started, in milliseconds. */
const START_TIME = 30_000

/** A Redis of its own. It has every write on disk before it responds, or loses everything when it ends. A `cluster` still needs its slots. */
export function redisServer({ persistent, cluster = false }) {
  return createServer('Redis', (folder, port) => {
    const url = `redis://127.0.0.1:${port}`
    return {
      command: programPath('redis-server'),
      args: [
        ...['--port', port, '--bind', '127.0.0.1', '--dir', folder, '--save', ''],
        ...(persistent ? ['--appendonly', 'yes', '--appendfsync', 'always'] : []),
        ...(cluster ? ['--cluster-enabled', 'yes'] : []),
      ],
      url,
      stopSignal: 'SIGTERM',
      problem: () => redisProblem(url),
    }
  })
}

/** A PostgreSQL of its own. It does not run as root: there it runs as the user postgres. */
export function postgresServer() {
  return createServer('PostgreSQL', (folder, port) => {
    const user = process.getuid?.() === 0 ? idsOf('postgres') : {}
    if (user.uid !== undefined) chownSync(folder, user.uid, user.gid)
    const data = join(folder, 'data')
    const options = { ...user, stdio: 'ignore', cwd: folder }
    const initdb = programPath('initdb', postgresFolders())
    execFileSync(initdb, ['-D', data, '-U', 'postgres', '-A', 'trust', '--no-sync'], options)
    const url = `postgres://postgres@127.0.0.1:${port}/postgres`
    return {
      command: programPath('postgres', postgresFolders()),
      args: ['-D', data, '-p', port, '-k', folder, '-c', 'listen_addresses=127.0.0.1'],
      user,
      url,
      // The fast shutdown: it cuts connections and waits for nothing.
      stopSignal: 'SIGINT',
      problem: () => postgresProblem(url),
    }
  })
}

/** Starts a NATS server with JetStream. */
export function natsServer() {
  return createServer('NATS', (folder, port) => ({
    command: programPath('nats-server', ['/usr/sbin']),
    args: ['-js', '-sd', folder, '-a', '127.0.0.1', '-p', port],
    url: `nats://127.0.0.1:${port}`,
    stopSignal: 'SIGTERM',
    problem: async () => ((await isListening(port)) ? undefined : 'nothing listens'),
  }))
}

/** Starts a PgBouncer that lends its two connections to PostgreSQL for one transaction at a time. Its `url` is that of the database by way of it. */
export async function startBouncer(database) {
  const bouncer = await createServer('PgBouncer', (folder, port) => {
    const url = new URL(database)
    const { hostname, pathname, username, password } = url
    const name = pathname.slice(1)
    const account = `user=${username || 'postgres'}${password && ` password=${password}`}`
    const file = join(folder, 'pgbouncer.ini')
    writeFileSync(
      file,
      `[databases]
${name} = host=${hostname} port=${url.port || 5432} dbname=${name} ${account}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 2
`,
    )
    Object.assign(url, { hostname: '127.0.0.1', port })
    return {
      command: programPath('pgbouncer', ['/usr/sbin']),
      // It does not run as root.
      args: [...(process.getuid?.() === 0 ? ['-u', 'nobody'] : []), file],
      url: url.href,
      stopSignal: 'SIGTERM',
      problem: () => postgresProblem(url.href),
    }
  })
  await bouncer.start()
  return bouncer
}

/** A server with a separate folder and port: `start`, `stop(signal)`, and `remove`, which removes its data too. */
async function createServer(name, configure) {
  const [port] = await freePorts(1)
  const folder = mkdtempSync(join(tmpdir(), 'webhook-server-'))
  const removeFolder = () =>
    // What the server had started may need a moment more.
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  let configuration
  try {
    configuration = configure(folder, port)
  } catch (error) {
    removeFolder()
    throw error
  }
  const { command, args, user, url, stopSignal, problem } = configuration
  const version = execFileSync(command, ['--version'], { encoding: 'utf8' })
  let child
  let removed = false
  const isRunning = () => child && child.exitCode === null && child.signalCode === null

  async function start() {
    const end = Date.now() + START_TIME
    for (;;) {
      if (removed) throw new Error(`${name} was removed.`)
      if (!isRunning()) {
        child = spawn(command, args.map(String), { ...user, cwd: folder, stdio: 'ignore' })
      }
      const found = await problem()
      if (found === undefined) return
      if (Date.now() > end) throw new Error(`${name} does not respond: ${found}`)
      await delay(20)
    }
  }

  async function stop(signal = stopSignal) {
    if (!isRunning()) return
    const exit = once(child, 'exit')
    child.kill(signal)
    await exit
  }

  async function remove() {
    removed = true
    await stop('SIGKILL')
    removeFolder()
  }

  return { url, version: `${name} ${/\d+(\.\d+)+/.exec(version)?.[0]}`, start, stop, remove }
}

function programPath(name, folders = []) {
  const paths = [...folders, ...(process.env.PATH ?? '').split(':')].map((path) => join(path, name))
  const found = paths.find((path) => existsSync(path))
  if (found) return found
  throw new Unavailable(`${name} is not installed. Looked for ${paths.join(', ')}.`)
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
    throw new Unavailable(`PostgreSQL does not run as root, and there is no user ${user}.`, {
      cause,
    })
  }
}
