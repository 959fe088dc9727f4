import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export const SECRET = 'whsec_d0c70ad0c70ad0c70ad0c70ad0c70ad0'

const running = new Set<ChildProcess>()

/** Ends all receivers and waits for it. */
export async function stopReceivers(): Promise<void> {
  await Promise.all(
    [...running].map((child) => {
      const ended = once(child, 'close')
      child.kill('SIGKILL')
      return ended
    }),
  )
}

/** Starts one of the receivers beside this file; resolves to its URL. */
export function startReceiver(name: string, secret: string = SECRET): Promise<string> {
  return start([`${name}.mjs`], new URL('receivers/', import.meta.url), secret)
}

/** Starts an example as its `npm start` does. */
export function startExample(framework: string): Promise<string> {
  const directory = new URL(`../../../../examples/${framework}/`, import.meta.url)
  return start(['--import', 'tsx', 'server.ts'], directory, SECRET)
}

function start(args: readonly string[], directory: URL, secret: string): Promise<string> {
  // As a user's shell has it: what vitest sets changes what frameworks log.
  const { NODE_ENV, NODE_OPTIONS, ...env } = process.env
  const child = spawn(process.execPath, args, {
    cwd: fileURLToPath(directory),
    env: { ...env, PORT: '0', WEBHOOK_SECRET: secret },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  running.add(child)
  return new Promise((resolve, reject) => {
    let text = ''
    child.stderr.setEncoding('utf8').on('data', (part) => {
      text += part
      const port = /^Listening on http:\S*:(\d+)\//m.exec(text)?.[1]
      if (port !== undefined) resolve(`http://127.0.0.1:${port}/webhooks`)
    })
    child.once('close', () => {
      running.delete(child)
      reject(new Error(`the receiver ended:\n${text}`))
    })
  })
}
