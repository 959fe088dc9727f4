import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** How long a program may take to start, in milliseconds. */
const START_TIME = 60_000

const running = new Set()

process.once('exit', () => running.forEach(kill))
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))

/**
 * Starts a program and waits until it tells its port.
 *
 * @param {object} program
 * @param {readonly string[]} program.command
 * @param {string} [program.cwd]
 * @param {Readonly<Record<string, string | undefined>>} [program.env]
 * @param {RegExp} program.told has the port in its first group, wherever the program writes it.
 * @param {boolean} [program.control] it writes to a descriptor 3.
 */
export async function startProgram({ command, cwd, env = {}, reported, control = false }) {
  const [file, ...args] = command
  const child = spawn(file, args, {
    cwd,
    // Conditions or loaders of this process would not be those of a user.
    env: { ...process.env, NODE_OPTIONS: '', NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe', ...(control ? ['pipe'] : [])],
    // A group of its own, so that what it starts ends with it.
    detached: true,
  })
  running.add(child)
  const written = { stdout: '', stderr: '', control: '' }
  const streams = { stdout: child.stdout, stderr: child.stderr, control: child.stdio[3] }
  const program = {
    port: 0,
    written,
    /** Sends a signal and resolves to the exit code. */
    async end(signal) {
      const closed = once(child, 'close')
      child.kill(signal)
      return (await closed)[0]
    },
    async close() {
      const ended = child.exitCode !== null || child.signalCode !== null
      const closed = ended ? undefined : once(child, 'close')
      kill(child)
      running.delete(child)
      await closed
    },
  }
  try {
    program.port = await new Promise((resolve, reject) => {
      const fail = (what) =>
        reject(new Error(`${command.join(' ')}: ${what}\n${Object.values(written).join('\n')}`))
      const timer = setTimeout(() => fail('it did not start'), START_TIME)
      for (const [name, stream] of Object.entries(streams)) {
        stream?.setEncoding('utf8').on('data', (text) => {
          written[name] += text
          const found = reported.exec(written[name])?.[1]
          if (found === undefined) return
          clearTimeout(timer)
          resolve(Number(found))
        })
      }
      child.once('error', (error) => fail(error.message))
      child.once('close', () => {
        clearTimeout(timer)
        fail('it ended')
      })
    })
    return program
  } catch (error) {
    await program.close()
    throw error
  }
}

function kill({ pid, exitCode, signalCode }) {
  if (exitCode === null && signalCode === null && pid !== undefined) process.kill(-pid, 'SIGKILL')
}
