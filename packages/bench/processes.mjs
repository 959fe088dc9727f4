import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'

/**
 * Starts a script as a process that exchanges messages with this one, on one core where the system can do that.
 * `ask` sends a message and resolves to the reply. `lines` are what the process has printed so far.
 */
export async function startProcess(url, args, { core, node = process.execPath, flags = [] } = {}) {
  const command = [node, ...flags, fileURLToPath(url), ...args]
  const pinned = core === undefined ? command : ['taskset', '--cpu-list', String(core), ...command]
  const child = spawn(pinned[0], pinned.slice(1), {
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const lines = linesOf(child.stdout, child.stderr)
  const ended = once(child, 'exit').then(([code, signal]) => {
    const printed = lines.slice(-20).join('\n')
    throw new Error(`${args[0] ?? url} ended with ${signal ?? code}: ${printed}`)
  })
  ended.catch(() => {})

  const reply = () => Promise.race([once(child, 'message').then(([message]) => message), ended])
  return {
    pid: child.pid,
    lines,
    reply,
    ask(question) {
      const replied = reply()
      if (child.connected) child.send(question)
      return replied
    },
    async stop() {
      if (child.connected) child.disconnect()
      await ended.catch(() => {})
    },
  }
}

/** Starts the load generator and says where servers should run: each on its own core, if that is possible. */
export async function startLoad(node, progress) {
  const pinned = availableParallelism() > 1 && spawnSync('taskset', ['--version']).status === 0
  if (!pinned) progress('taskset or a second core is missing: processes are not pinned to cores')
  const url = new URL('./http/load.mjs', import.meta.url)
  const load = await startProcess(url, [], { core: pinned ? 1 : undefined })
  return { load, core: pinned ? 0 : undefined, node }
}

const MOST_LINES = 10_000

/** The latest lines that come out of streams. */
function linesOf(...streams) {
  const lines = []
  for (const stream of streams) {
    let rest = ''
    stream.setEncoding('utf8').on('data', (text) => {
      const found = (rest + text).split('\n')
      rest = found.pop()
      lines.push(...found)
      if (lines.length > MOST_LINES) lines.splice(0, MOST_LINES / 2)
    })
  }
  return lines
}
