import { startExample as start } from '@webhook-receiver/checks/example.mjs'
import { stopPrograms } from '@webhook-receiver/checks/program.mjs'

export const SECRET = 'whsec_d0c70ad0c70ad0c70ad0c70ad0c70ad0'

/** Ends all receivers. */
export function stopReceivers(): Promise<void> {
  return stopPrograms('SIGKILL')
}

/** Starts an example as its `npm start` does. */
export async function startExample(framework: string): Promise<string> {
  const { port } = await start(framework, { secret: SECRET })
  return `http://127.0.0.1:${port}/webhooks`
}
