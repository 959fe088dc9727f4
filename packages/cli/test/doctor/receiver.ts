import { fileURLToPath } from 'node:url'
import { startExample as start } from '@webhook-receiver/tools/example.mjs'
import { startApplication, stopPrograms } from '@webhook-receiver/tools/program.mjs'

export const SECRET = 'whsec_d0c70ad0c70ad0c70ad0c70ad0c70ad0'

const RECEIVERS = fileURLToPath(new URL('receivers/', import.meta.url))

/** Ends all receivers. */
export function stopReceivers(): Promise<void> {
  return stopPrograms('SIGKILL')
}

/** Starts one of the receivers beside this file; resolves to its URL. */
export async function startReceiver(name: string, secret: string = SECRET): Promise<string> {
  const { port } = await startApplication([`${name}.mjs`], { cwd: RECEIVERS, secret })
  return `http://127.0.0.1:${port}/webhooks`
}

/** Starts an example as its `npm start` does. */
export async function startExample(framework: string): Promise<string> {
  const { port } = await start(framework, { secret: SECRET })
  return `http://127.0.0.1:${port}/webhooks`
}
