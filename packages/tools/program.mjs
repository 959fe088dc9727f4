import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** How long a program may take to print or send what is waited for, and to stop, in milliseconds. */
const START_TIME = 20_000
const STOP_TIME = 10_000

const running = new Set()

// Also after Ctrl-C, and where the process that started them fails.
process.once('exit', () => {
  for (const { child } of running) child.kill('SIGKILL')
})

/** Starts a command. With `ipc` the program and this process can send each other messages. */
export function startProgram(command, args, { cwd, env, ipc = false } = {}) {
  // As in the shell of a user: what vitest sets changes what frameworks log.
  const { NODE_ENV, NODE_OPTIONS, WEBHOOK_SECRET, ...inherited } = process.env
  const child = spawn(command, args, {
    cwd,
    env: { ...inherited, ...env },
    stdio: ['ignore', 'pipe', 'pipe', ipc ? 'ipc' : 'ignore'],
  })
  const chunks = { stdout: [], stderr: [] }
  for (const name of ['stdout', 'stderr']) child[name].on('data', (data) => chunks[name].push(data))
  const output = (encoding) => ({
    stdout: Buffer.concat(chunks.stdout).toString(encoding),
    stderr: Buffer.concat(chunks.stderr).toString(encoding),
  })
  const ended = once(child, 'close').then(([code, signal]) => {
    running.delete(program)
    return { code, signal, ...output() }
  })

  function waitFor(what, listen) {
    let timer
    return new Promise((resolve, reject) => {
      const fail = (how) =>
        reject(new Error(`${args.join(' ')} ${how} before it ${what}:\n${output().stderr}`))
      timer = setTimeout(fail, START_TIME, 'took too long')
      ended.then(({ code, signal }) => fail(`ended with ${signal ?? code}`), reject)
      listen(resolve)
    }).finally(() => clearTimeout(timer))
  }

  const program = {
    child,
    ended,
    output,
    printed: (pattern) =>
      waitFor(`printed ${pattern}`, (resolve) => {
        const look = () => {
          const { stderr, stdout } = output()
          const found = pattern.exec(stderr) ?? pattern.exec(stdout)
          if (!found) return
          // To look at all of a long output again and again would take longer each time.
          for (const name of ['stdout', 'stderr']) child[name].off('data', look)
          resolve(found[1])
        }
        for (const name of ['stdout', 'stderr']) child[name].on('data', look)
        look()
      }),
    message: () => waitFor('sent a message', (resolve) => child.once('message', resolve)),
    async stop(signal = 'SIGTERM') {
      child.kill(signal)
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIME)
      return ended.finally(() => clearTimeout(timer))
    },
  }
  running.add(program)
  return program
}

/** Starts an application, which prints its port. */
export async function startApplication(
  args,
  { command = process.execPath, cwd, secret, port = 0, env } = {},
) {
  const program = startProgram(command, args, {
    cwd,
    env: { PORT: String(port), WEBHOOK_SECRET: secret, ...env },
  })
  return { ...program, port: Number(await program.printed(/^Listening on http:\S*:(\d+)\b/m)) }
}

/** Stops every program that is running. */
export async function stopPrograms(signal) {
  await Promise.all([...running].map((program) => program.stop(signal)))
}
