import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import { startProgram } from './program.mjs'
import { chooseSigner, createDelivery, randomSecret, signedRequest } from './signing.mjs'
import { send } from './wire.mjs'

/** Starts a receiver and sends it a forged delivery and a valid one. Gives the valid one, with what was printed. */
export async function receive({ folder, env, port, node = process.execPath }, args, services = {}) {
  const { sign } = chooseSigner()
  const content = { text: 'Is the shop open?' }
  const signed = (key) => signedRequest(key, createDelivery('message.received', content), { sign })
  const secret = randomSecret()
  const program = startProgram(node, args, {
    cwd: folder,
    env: { ...env, ...services, NODE_OPTIONS: '', WEBHOOK_SECRET: secret },
  })
  const request = signed(secret)
  try {
    await untilListening(port, program)
    const { outcome: forged } = await send(port, signed(randomSecret()))
    const { outcome: valid } = await send(port, request)
    assert.equal(forged, 401, `A forged delivery gets ${forged}.`)
    assert.match(String(valid), /^2\d\d$/, `A valid delivery gets ${valid}.`)
    const printed = await program.stop('SIGKILL')
    return { ...request.delivery, printed, saw: `forged ${forged}, valid ${valid}` }
  } catch (error) {
    error.message += `\n${program.output().stderr}`
    throw error
  } finally {
    await program.stop('SIGKILL')
  }
}

/** Waits until a program responds to anything, at whichever address `localhost` is. */
export async function untilListening(port, { child }) {
  const isListening = () =>
    fetch(`http://localhost:${port}/`).then(
      () => true,
      () => false,
    )
  while (!(await isListening())) {
    if ((child.exitCode ?? child.signalCode) !== null)
      throw new Error('It ended before it listened.')
    await setTimeout(50)
  }
}
