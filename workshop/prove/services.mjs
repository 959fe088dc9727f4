// Runs a command with REDIS_URL and DATABASE_URL set to servers that respond. Where one does not respond, it starts one
// of its own and stops it when the command has ended.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { DATABASE_URL, postgresProblem } from './postgres.mjs'
import { REDIS_URL, redisProblem } from './redis.mjs'
import { Unavailable, withCleanup } from './runs.mjs'
import { postgresServer, redisServer } from './servers.mjs'

const [program, ...args] = process.argv.slice(2)
if (program === undefined) throw new Error('npm run services -- COMMAND')

await withCleanup(async (onEnd) => {
  const { REDIS_URL: _, DATABASE_URL: __, ...env } = process.env
  Object.assign(
    env,
    await service('REDIS_URL', REDIS_URL, redisProblem, () => redisServer({ persistent: false })),
    await service('DATABASE_URL', DATABASE_URL, postgresProblem, postgresServer),
  )
  const [code] = await once(spawn(program, args, { env, stdio: 'inherit' }), 'exit')
  process.exitCode = code ?? 1

  /** The variable with the URL of a service that responds; nothing where none does and none can be started. */
  async function service(variable, url, findProblem, createServer) {
    // A URL may hold a password.
    const { host } = new URL(url)
    const problem = await findProblem(url)
    if (problem === undefined) {
      console.error(`${variable}: ${host} responds and is used as it is.`)
      return { [variable]: url }
    }
    console.error(`${variable}: ${host} cannot be used: ${problem}.`)
    try {
      const server = await createServer()
      onEnd(server.remove)
      await server.start()
      console.error(`${variable}: a ${server.version} was started for this run.`)
      return { [variable]: server.url }
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error
      console.error(`${variable}: ${error.message}`)
      return {}
    }
  }
})
