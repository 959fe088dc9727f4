import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/**
 * Starts a script as a process that talks to this one, on one core where the system can do that.
 * `ask` sends a message and resolves to the answer.
 */
export async function startProcess(file, args, { core, node = process.execPath, flags = [] }) {
  const command = [node, ...flags, fileURLToPath(new URL(file, import.meta.url)), ...args]
  const pinned = core === undefined ? command : ['taskset', '--cpu-list', String(core), ...command]
  const child = spawn(pinned[0], pinned.slice(1), {
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let complaint = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    complaint = (complaint + text).slice(-2000)
  })
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${args[0] ?? file} ended with ${code}: ${complaint}`)
  })
  ended.catch(() => {})

  const answer = () => Promise.race([once(child, 'message').then(([message]) => message), ended])
  return {
    pid: child.pid,
    answer,
    ask(question) {
      const answered = answer()
      child.send(question)
      return answered
    },
    async stop() {
      if (child.connected) child.disconnect()
      await ended.catch(() => {})
    },
  }
}

/** Whether processes can be tied to a core here. */
export function canPin() {
  return spawnSync('taskset', ['--version']).status === 0
}
