import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startProgram } from './program.mjs'
import { createDelivery, randomSecret, signedByStripe, signedRequest } from './signing.mjs'
import { send } from './wire.mjs'

const SERVE = fileURLToPath(new URL('serve.mjs', import.meta.url))

/** How long a server may take to listen, in milliseconds. */
const START_TIME = 120_000

/**
 * Starts a receiver and sends it a forged delivery and a valid one, of the default format or of Stripe. Gives what was printed, and how many times the handler
 * printed something of the valid one.
 */
export function receive({ folder, env, port, isStripe }, args) {
  const content = { text: 'Is the shop open?' }
  const signed = (key) =>
    isStripe
      ? { ...signedByStripe(key, 'invoice.paid'), path: '/webhooks/stripe' }
      : signedRequest(key, createDelivery('message.received', content))
  const secret = randomSecret()
  const variable = isStripe ? 'STRIPE_WEBHOOK_SECRET' : 'WEBHOOK_SECRET'
  const variables = { ...env, NODE_OPTIONS: '', [variable]: secret }
  return withServer(
    [process.execPath, ...args],
    { port, cwd: folder, env: variables },
    async (program) => {
      const request = signed(secret)
      const { outcome: forged } = await send(port, signed(randomSecret()))
      const { outcome: valid } = await send(port, request)
      assert.equal(forged, 401, `A forged delivery gets ${forged}.`)
      assert.match(String(valid), /^2\d\d$/, `A valid delivery gets ${valid}.`)
      const printed = await program.stop('SIGKILL')
      const { id, type, event = type, data } = request.delivery
      // Stripe's data, which may stand behind the id, has it too.
      const texts = isStripe
        ? [`${event} ${id}`, `${id} {`]
        : [id, event, data.instance_id, data.data.text]
      const counts = texts.map((text) => printed.stdout.split(text).length - 1)
      const runs = counts.find((count) => count > 0) ?? 0
      return { printed, runs, saw: `forged ${forged}, valid ${valid}` }
    },
  )
}

/** Does so with a program that listens, or with what a module exports. Undefined for a file that is neither. */
export async function receiveIn({ code, file, flags = [], ...where }) {
  const sent = { ...where, isStripe: code.includes('STRIPE_WEBHOOK_SECRET') }
  if (/\b(?:listen|serve)\(/.test(code)) return receive(sent, [...flags, file])
  if (!/^export (default|const (POST|handler)|async function (POST|handler))\b/m.test(code))
    return undefined
  return receive(sent, [...flags, SERVE, file, String(where.port)])
}

/** Starts a server, gives it to `work` as soon as it responds, and kills it. Behind an error stands what it has printed. */
export async function withServer([command, ...args], { port, ...options }, work) {
  const program = startProgram(command, args, { group: true, ...options })
  try {
    await untilListening(port, program)
    return await work(program)
  } catch (error) {
    throw new Error([error.message, ...Object.values(program.output())].join('\n'))
  } finally {
    await program.stop('SIGKILL')
  }
}

/** Waits until a program responds to anything, at whichever address `localhost` is. */
export async function untilListening(port, { child }) {
  const end = performance.now() + START_TIME
  const isListening = () =>
    fetch(`http://localhost:${port}/`).then(
      () => true,
      () => false,
    )
  while (!(await isListening())) {
    if ((child.exitCode ?? child.signalCode) !== null || performance.now() > end)
      throw new Error('It ended before it listened, or does not listen.')
    await setTimeout(50)
  }
}
