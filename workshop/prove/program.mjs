import { spawn } from 'node:child_process'
import { once } from 'node:events'

/**
 * @typedef {{ readonly stdout: string, readonly stderr: string }} Output
 * @typedef {Output & { readonly code: number | null, readonly signal: NodeJS.Signals | null }} Ending how a program ended, with
 * everything that it printed
 *
 * @typedef {object} Program
 * @property {import('node:child_process').ChildProcess} child
 * @property {Promise<Ending>} ended
 * @property {(encoding?: BufferEncoding) => Output} output what it has printed so far
 * @property {(pattern: RegExp) => Promise<string | undefined>} printed waits for a line; resolves to the first group of the pattern
 * @property {() => Promise<unknown>} message
 * @property {(signal: NodeJS.Signals) => void} kill
 * @property {(signal?: NodeJS.Signals) => Promise<Ending>} stop sends a signal, later SIGKILL, and waits for the end
 *
 * @typedef {object} ProgramOptions
 * @property {string} [cwd]
 * @property {Readonly<Record<string, string | undefined>>} [env]
 * @property {'ignore' | 'ipc'} [fourth]
 * @property {boolean} [group]
 *
 * @typedef {Program & { readonly port: number }} Application
 * @typedef {ProgramOptions & { secret?: string | undefined, port?: number, command?: string }} ApplicationOptions
 */

/** How long a program may take to print or send what is waited for, and to stop, in milliseconds. */
const START_TIME = 120_000
const STOP_TIME = 60_000

const running = new Set()

// Also after Ctrl-C, and where the process that started them fails.
process.once('exit', () => {
  for (const { kill } of running) kill('SIGKILL')
})

/**
 * Starts a command; as a `group`, what it starts is killed with it. `fourth` is what its descriptor 3 is: with `ipc` the program and
 * this process can send each other messages.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {ProgramOptions} [options]
 * @returns {Program}
 */
export function startProgram(command, args, { cwd, env, fourth = 'ignore', group = false } = {}) {
  // A terminal interrupts only its own group.
  if (group)
    for (const signal of ['SIGINT', 'SIGTERM'])
      process.off(signal, interrupted).once(signal, interrupted)
  // As in the shell of a user: what vitest sets changes what frameworks log.
  const { NODE_ENV, NODE_OPTIONS, WEBHOOK_SECRET, ...inherited } = process.env
  const child = spawn(command, args, {
    cwd,
    env: { ...inherited, ...env },
    stdio: ['ignore', 'pipe', 'pipe', fourth],
    detached: group,
  })
  const streams = [child.stderr, child.stdout]
  const chunks = new Map(streams.map((stream) => [stream, []]))
  for (const [stream, read] of chunks) stream.on('data', (data) => read.push(data))
  const text = (stream, encoding) => Buffer.concat(chunks.get(stream)).toString(encoding)
  const output = (encoding) => ({
    stdout: text(child.stdout, encoding),
    stderr: text(child.stderr, encoding),
  })
  const ended = once(child, 'close').then(([code, signal]) => {
    running.delete(program)
    return { code, signal, ...output() }
  })

  function waitFor(what, listen) {
    let timer
    return new Promise((resolve, reject) => {
      const fail = (how) =>
        reject(
          new Error(`${args.join(' ')} ${how} before it ${what}:\n${ownLines(output().stderr)}`),
        )
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
          const found = streams.map((stream) => pattern.exec(text(stream))).find(Boolean)
          if (!found) return
          // To look at all of a long output again and again would take longer each time.
          for (const stream of streams) stream.off('data', look)
          resolve(found[1])
        }
        for (const stream of streams) stream.on('data', look)
        look()
      }),
    message: () => waitFor('sent a message', (resolve) => child.once('message', resolve)),
    kill(signal) {
      if (child.pid === undefined || (child.exitCode ?? child.signalCode) !== null) return
      // A supervisor, too, tells the program alone to stop.
      if (group && signal === 'SIGKILL') process.kill(-child.pid, signal)
      else child.kill(signal)
    },
    async stop(signal = 'SIGTERM') {
      program.kill(signal)
      const timer = setTimeout(program.kill, STOP_TIME, 'SIGKILL')
      return ended.finally(() => clearTimeout(timer))
    },
  }
  running.add(program)
  return program
}

/**
 * Starts an application, which prints its port.
 *
 * @param {readonly string[]} args
 * @param {ApplicationOptions} [options]
 * @returns {Promise<Application>}
 */
export async function startApplication(
  args,
  { command = process.execPath, secret, port = 0, env, ...options } = {},
) {
  const program = startProgram(command, args, {
    ...options,
    env: { PORT: String(port), WEBHOOK_SECRET: secret, ...env },
  })
  try {
    return { ...program, port: Number(await program.printed(LISTENING)) }
  } catch (error) {
    await program.stop('SIGKILL')
    throw error
  }
}

const LISTENING = /\bListening on +http:\S*:(\d+)\b/m

/** Without the frames of dependencies: vitest reads each as one of its own, and ends where it cannot, without a word about the error. */
function ownLines(text) {
  return text.replaceAll(/^ +at .*node_modules.*\n?/gm, '')
}

function interrupted() {
  process.exit(1)
}

/**
 * Stops every program that is running.
 *
 * @param {NodeJS.Signals} [signal]
 */
export async function stopPrograms(signal) {
  await Promise.all([...running].map((program) => program.stop(signal)))
}
