// Runs a command with REDIS_URL and DATABASE_URL set to servers that answer. Where one does not, it starts one of its
// own, and stops that when the command has ended.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cleaningUp } from './cleanup.mjs'
import { refuse } from './command-line.mjs'
import { NotTried } from './not-tried.mjs'
import { expectPostgres, expectRedis, postgresServer, redisServer } from './servers.mjs'
import { SERVICES } from './service-urls.mjs'

const NEEDED = [
  {
    variable: 'REDIS_URL',
    url: SERVICES.redisUrl,
    expectAnswer: expectRedis,
    makeServer: () => redisServer({ forgets: true }),
    urlOf: ({ redisUrl }) => redisUrl,
  },
  {
    variable: 'DATABASE_URL',
    url: SERVICES.databaseUrl,
    expectAnswer: expectPostgres,
    makeServer: postgresServer,
    urlOf: ({ databaseUrl }) => databaseUrl,
  },
]

const [program, ...args] = process.argv.slice(2)
if (program === undefined) refuse('There is no command to run.', 'npm run services -- COMMAND')

await cleaningUp(async (made) => {
  const env = { ...process.env }
  for (const needed of NEEDED) {
    env[needed.variable] = await urlFor(needed, made)
    if (env[needed.variable] === undefined) delete env[needed.variable]
  }
  const [code] = await once(spawn(program, args, { env, stdio: 'inherit' }), 'exit')
  process.exitCode = code ?? 1
})

/** Where a service answers; undefined where none does, and none can be started. */
async function urlFor({ variable, url, expectAnswer, makeServer, urlOf }, made) {
  // A URL may hold a password.
  const { host } = new URL(url)
  const reason = await expectAnswer(url).catch((error) => error)
  if (reason === undefined) {
    console.error(`${variable}: ${host} answers and is used as it is.`)
    return url
  }
  console.error(`${variable}: ${host} cannot be used: ${reason.message || reason.code}.`)
  try {
    const server = await makeServer()
    made(server)
    await server.start()
    console.error(`${variable}: a ${server.version} was started for this run.`)
    return urlOf(server.services)
  } catch (error) {
    if (!(error instanceof NotTried)) throw error
    console.error(`${variable}: ${error.message}`)
    return undefined
  }
}
