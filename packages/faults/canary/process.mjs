import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { startRecorder } from './recorder.mjs'

const PROGRAM = fileURLToPath(new URL('server.mjs', import.meta.url))

/**
 * Starts an adapter in a process of its own and a recorder in front of it, whose port is what it resolves to.
 * `stop` ends both and resolves to all that came out.
 */
export async function startServer(adapter, leak) {
  // In development frameworks say the most, and core diagnoses.
  const child = spawn(process.execPath, [PROGRAM, adapter, leak ?? ''], {
    env: { ...process.env, NODE_ENV: 'development' },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const printed = { 'standard output': [], 'standard error': [] }
  child.stdout.on('data', (bytes) => printed['standard output'].push(bytes))
  child.stderr.on('data', (bytes) => printed['standard error'].push(bytes))
  const ended = new Promise((resolve) => child.once('close', resolve))
  const port = await new Promise((resolve, reject) => {
    child.once('message', resolve)
    child.once('exit', () =>
      reject(new Error(`${adapter} did not start:\n${Buffer.concat(printed['standard error'])}`)),
    )
  })
  const recorder = await startRecorder(port)
  return {
    port: recorder.port,
    // Whoever runs the vectors closes their server; what it has printed is still on its way.
    close: async () => {},
    async stop() {
      await recorder.stop()
      const code = child.exitCode
      child.kill('SIGTERM')
      await ended
      if (code !== null) throw new Error(`${adapter} ended by itself, with ${code}.`)
      return {
        ...mapped(printed, (chunks) => Buffer.concat(chunks).toString('latin1')),
        answers: recorder.bytes(),
        statuses: recorder.statuses(),
      }
    },
  }
}

function mapped(record, change) {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]))
}
