#!/usr/bin/env node
import { format } from 'node:util'
import { messageOf, tell } from './console/index.ts'
import { withPlace } from './options/index.ts'
import { run } from './program.ts'

const interruption = new AbortController()

// The first Ctrl-C lets a command end cleanly, the second one does not wait for that.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    if (interruption.signal.aborted) process.exit(130)
    interruption.abort()
  })
}

// The reader of our output, such as `head`, has closed it; or its disk is full.
for (const output of [process.stdout, process.stderr]) {
  output.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0)
    tell(process.stderr, `error: ${messageOf(error)}.`)
    process.exit(1)
  })
}

// The libraries underneath warn here, with names and errors that come from outside.
console.warn = console.error = (...facts: unknown[]) => {
  tell(process.stderr, withPlace(format(...facts).replace('[webhook-receiver] ', '')))
}

process.exitCode = await run(process.argv.slice(2), {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  signal: interruption.signal,
  now: () => Date.now(),
})

// Nobody waits for what an interrupted command has begun.
if (interruption.signal.aborted) process.exit()
