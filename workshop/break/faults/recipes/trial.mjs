// Tries a recipe as a process that has just been started, with its server away, and with its server back.
import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { exampleFolder, scriptArguments } from '@webhook-receiver/checks/example.mjs'
import { freePorts } from '@webhook-receiver/checks/free-ports.mjs'
import { startProgram } from '@webhook-receiver/checks/program.mjs'
import { temporaryFolder, withCleanup } from '@webhook-receiver/checks/runs.mjs'
import { isListening, send as post } from '@webhook-receiver/checks/wire.mjs'
import { signDelivery } from '@webhook-receiver/core/testing'
import { SERVERS } from './servers.mjs'

const SECRET = 'whsec_of_a_recipe'
const SERVE = fileURLToPath(new URL('../../serve.mjs', import.meta.url))
const BREAK = fileURLToPath(new URL('../../', import.meta.url))

/** How long a server may take to be seen again, in milliseconds: only what never comes back is longer away. */
const BACK = 120_000

/** The longest that a response may take while a server is away, in milliseconds, on a machine that is busy with other things. */
const AWAY = 30_000

/**
 * @typedef {{ status: number | string, ms: number, text: string }} Outcome what a delivery got: a status, or the error of its connection
 *
 * @typedef {object} Tried
 * @property {Outcome} first of a process whose server runs
 * @property {number} [back] how long after its return the same delivery was handled, in milliseconds
 * @property {Outcome | string} [without] the first request of a process that was started while it was away; how that ended
 * @property {number} [later] how long after the server's return this process handled it
 * @property {readonly string[]} problems
 */

/**
 * @param {import('./list.mjs').Recipe} recipe
 * @param {number} seconds how long the server stays away
 * @returns {Promise<Tried>}
 */
export function tryRecipe(recipe, seconds) {
  return withCleanup(async (onEnd) => {
    // Inside the checkout, whose packages it imports.
    const folder = temporaryFolder(join(BREAK, '.recipes-'), onEnd)
    const server = await SERVERS[recipe.server](onEnd, folder)
    const start = () => startRecipe(recipe, { folder, env: server.env }, onEnd)

    const problems = new Set()
    const process = await start()
    const first = await process.send()
    if (!isSuccess(first)) problems.add(`The first request gets ${first.status}: ${first.text}`)
    if (!server.cut) return { first, problems: [...problems] }

    const sendInVain = async (program, id) => {
      const outcome = await program.send(id)
      const { status, ms, text } = outcome
      if (status !== 503) problems.add(`While the server is away: ${status} ${text}`)
      else if (ms > AWAY) problems.add(`While the server is away, the 503 takes ${ms} ms.`)
      return outcome
    }
    await server.cut()
    const id = randomUUID()
    const end = Date.now() + seconds * 1000
    for (let sent = 0; sent < 2 || Date.now() < end; sent++) await sendInVain(process, id)
    await server.open()
    const back = await untilHandled(process, id)
    await process.stop()

    await server.cut()
    const other = await start()
    const without = other.ended() ?? (await sendInVain(other))
    await server.open()
    const restarted = other.ended() === undefined ? other : await start()
    const later = await untilHandled(restarted, randomUUID())
    await restarted.stop()
    return { first, back, without, later, problems: [...problems] }
  })
}

/** Sends a delivery, as a service does that retries, until it is handled. */
async function untilHandled(process, id) {
  const since = performance.now()
  for (;;) {
    const outcome = await process.send(id)
    const ms = Math.round(performance.now() - since)
    if (isSuccess(outcome)) return ms
    if (ms > BACK || process.ended() !== undefined) {
      throw new Error(`${outcome.status} after ${ms} ms: ${process.ended() ?? outcome.text}`)
    }
    await delay(20)
  }
}

function isSuccess({ status }) {
  return status === 200 || status === 204
}

async function startRecipe({ code, example, scheme }, { folder, env }, onEnd) {
  const [port] = await freePorts(1)
  const secrets = { WEBHOOK_SECRET: SECRET, STRIPE_WEBHOOK_SECRET: SECRET }
  const args = example ? scriptArguments(example) : await programOf(code, folder, port)
  const program = startProgram(process.execPath, args, {
    cwd: example ? exampleFolder(example) : folder,
    env: { ...env, ...secrets, PORT: String(port) },
  })
  onEnd(() => program.stop('SIGKILL'))
  let ending
  program.ended.then(({ code, signal, stderr }) => {
    ending = `ended with ${signal ?? code}: ${/^\w*Error.*$/m.exec(stderr)?.[0] ?? stderr.slice(-200)}`
  })
  const ended = () => ending
  while (ended() === undefined && !(await isListening(port))) await delay(10)
  return {
    ended,
    stop: () => program.stop('SIGKILL'),
    send: (id) => send(port, scheme, id),
  }
}

/** The arguments of Node for a block: for the server that it is, or for one with the store, the inbox or the function that it makes. */
async function programOf(code, folder, port) {
  const file = join(folder, `recipe-${port}.mts`)
  const [, name] = /^const (store|inbox) = /m.exec(code) ?? []
  const isServer = code.includes('.listen(3000)')
  const isModule = isServer || code.includes('export const handler')
  const source = code.replace('.listen(3000)', `.listen(${port}, '127.0.0.1')`)
  await writeFile(file, isModule ? source : `${source}\nexport { ${name} }\n`)
  const own = isServer ? [file] : [SERVE, file]
  return ['--import', import.meta.resolve('tsx'), ...own]
}

async function send(port, scheme, id = randomUUID()) {
  const event = scheme ? 'invoice.paid' : 'message.received'
  const signed = await signDelivery(SECRET, event, { ...(scheme && { scheme }), id })
  const sent = { ...signed, path: scheme ? `/webhooks/${scheme.name}` : '/webhooks' }
  const { outcome: status, text, milliseconds } = await post(port, sent)
  return { status, text, ms: Math.round(milliseconds) }
}
