import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/**
 * Starts a program that sends its port, and then a reply to each message. `ask` resolves to that; `lines` are what it has
 * printed.
 */
export async function startServer(file, args, execArgv = []) {
  const child = fork(new URL(file, import.meta.url), args, {
    execArgv,
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const lines = []
  for (const input of [child.stdout, child.stderr]) {
    createInterface({ input }).on('line', (line) => lines.push(line))
  }
  const ended = once(child, 'exit').then(([code, signal]) => {
    throw new Error(
      `${args.join(' ')} ended with ${signal ?? code}: ${lines.slice(-20).join('\n')}`,
    )
  })
  ended.catch(() => {})
  const reply = () => Promise.race([once(child, 'message').then(([message]) => message), ended])
  const port = await reply()
  return {
    url: `http://127.0.0.1:${port}/webhooks`,
    lines,
    pid: child.pid,
    ask(question) {
      const replied = reply()
      child.send(question)
      return replied
    },
    async stop() {
      child.kill()
      await ended.catch(() => {})
    },
  }
}
