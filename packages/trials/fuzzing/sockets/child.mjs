import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const SERVER = fileURLToPath(new URL('server.mjs', import.meta.url))

/** What a receiver may print: one line per reason and minute. */
const REJECTION = /^\[webhook-receiver\] /

/** How often a server is asked for a sign of life, in milliseconds. */
const BEAT = 250

/**
 * Starts an application in a separate process. `faults` has what went wrong there so far: what it prints
 * besides rejections, and its end, which an unhandled rejection causes too.
 */
export async function startServer(adapter, secret, clock = '', flags = []) {
  const child = fork(SERVER, [adapter, secret, clock], {
    // Express and Koa ask url.parse, which warns of invalid URLs.
    execArgv: [
      '--expose-gc',
      '--unhandled-rejections=strict',
      '--disable-warning=DEP0170',
      ...flags,
    ],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const faults = []
  const waiting = new Map()
  let stopping = false
  let lines = 0
  for (const stream of [child.stdout, child.stderr]) {
    let rest = ''
    stream.setEncoding('utf8').on('data', (text) => {
      const found = (rest + text).split('\n')
      rest = found.pop()
      for (const line of found) {
        if (REJECTION.test(line)) lines++
        else if (faults.length < 20) faults.push(`printed: ${line}`)
      }
    })
  }
  child.once('exit', (code, signal) => {
    if (!stopping) faults.push(`ended with ${signal ?? code}`)
    for (const settle of waiting.values()) settle({})
  })
  const port = await new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error(`${adapter} did not start: ${faults.join('\n')}`)))
    child.on('message', (message) => {
      if (message.port) resolve(message.port)
      if (message.pong) beating = false
      waiting.get(message.measured)?.(message)
      waiting.delete(message.measured)
    })
  })
  let beating = false
  let beats = 0
  let last = performance.now()
  const heart = setInterval(() => {
    const now = performance.now()
    if (!beating && now - last < 2 * BEAT) beats++
    last = now
    if (!beating && child.connected) child.send({ ping: true })
    beating = true
  }, BEAT)
  let asked = 0
  return {
    port,
    faults,
    /** How many rejections it printed. */
    lines: () => lines,
    /** For how long both processes were not busy, in milliseconds. */
    time: () => beats * BEAT,
    alive: () => child.exitCode === null && child.signalCode === null,
    /** Its memory after a collection, in bytes. */
    measure() {
      return new Promise((resolve) => {
        if (child.exitCode !== null || !child.connected) return resolve({})
        const measure = ++asked
        waiting.set(measure, resolve)
        child.send({ measure })
      })
    },
    stop() {
      stopping = true
      clearInterval(heart)
      child.kill()
    },
  }
}
