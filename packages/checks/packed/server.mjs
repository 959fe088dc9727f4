import { freePorts } from '../free-ports.mjs'
import { receive } from '../receive.mjs'

/** Starts an application, and sends it a forged delivery and a valid one: the handler has to run once. */
export async function tryServer(folder, args, node) {
  try {
    const [port] = await freePorts(1)
    const env = { PORT: String(port) }
    const { id, printed, saw } = await receive({ folder, env, port, node }, args)
    const runs = printed.stdout.split(`"id":"${id}"`).length - 1
    const problems = runs === 1 ? [] : [`${args}: the handler ran ${runs} times`, printed.stderr]
    return { saw, problems }
  } catch (error) {
    return { saw: '', problems: [`${args}: ${error.message}`] }
  }
}
