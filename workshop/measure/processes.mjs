import { fileURLToPath } from 'node:url'
import { startProgram } from '@webhook-receiver/checks/program.mjs'

/** Starts a program that sends its port, and then a reply to each message: `ask` resolves to that. */
export async function startServer(file, args, flags = [], env = {}) {
  const path = fileURLToPath(new URL(file, import.meta.url))
  const program = startProgram(process.execPath, [...flags, path, ...args], {
    env: { NODE_ENV: 'production', ...env },
    fourth: 'ipc',
  })
  const port = await program.message()
  return {
    ...program,
    port,
    ask(question) {
      const replied = program.message()
      program.child.send(question)
      return replied
    },
  }
}
