import { spawn } from 'node:child_process'

/** How long an application may take to start and to stop, in milliseconds. */
const START_TIME = 15_000
const STOP_TIME = 3000

const running = new Set()

// The last resort: this also runs on Ctrl-C and when the demo itself fails.
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** Starts Node with these arguments and resolves when the application has told its port; 0 lets it take a free one. */
export function startApplication(name, args, cwd, secret, port = 0) {
  const child = spawn(process.execPath, args, {
    cwd,
    env: { ...process.env, PORT: String(port), WEBHOOK_SECRET: secret },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  const application = { name, port: 0, child, stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text) => {
    application.stdout += text
  })
  return new Promise((resolve, reject) => {
    const fail = (what) => reject(new Error(`${name} ${what}.\n${application.stderr}`))
    const timer = setTimeout(() => fail('did not start in time'), START_TIME)
    child.once('error', (error) => fail(`did not start: ${error.message}`))
    child.once('exit', (code, signal) => {
      running.delete(child)
      clearTimeout(timer)
      fail(`ended with ${signal ?? code}`)
    })
    child.stderr.setEncoding('utf8').on('data', (text) => {
      application.stderr += text
      const told = /^Listening on http:\S*:(\d+)\b/m.exec(application.stderr)?.[1]
      if (told === undefined || application.port !== 0) return
      clearTimeout(timer)
      application.port = Number(told)
      console.error(`  ${name} on port ${told}`)
      resolve(application)
    })
  })
}

/** Asks every application to end, and makes those end that do not. */
export async function stopApplications() {
  await Promise.all(
    [...running].map((child) => {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIME)
      return ended.then(() => clearTimeout(timer))
    }),
  )
}
