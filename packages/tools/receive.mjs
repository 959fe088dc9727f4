import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { chooseSigner, createDelivery, randomSecret, signedRequest } from './signing.mjs'
import { send } from './wire.mjs'

/** How long an example may take to listen, in milliseconds. */
const START_TIME = 15_000

/** Starts a receiver and sends it a forged delivery and a genuine one. Gives the genuine one, with what was printed. */
export async function receive({ folder, env, port }, args, services = {}) {
  const { sign } = chooseSigner()
  const signed = (key) => signedRequest(key, createDelivery('message.received'), { sign })
  const secret = randomSecret()
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { ...env, ...services, NODE_OPTIONS: '', WEBHOOK_SECRET: secret },
  })
  const closed = once(child, 'close')
  const printed = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr']) {
    child[name].setEncoding('utf8').on('data', (text) => {
      printed[name] += text
    })
  }
  const request = signed(secret)
  try {
    await untilListening(port, child)
    const { outcome: forged } = await send(port, signed(randomSecret()))
    const { outcome: genuine } = await send(port, request)
    assert.equal(forged, 401, `A forged delivery is answered ${forged}.`)
    assert.match(String(genuine), /^2\d\d$/, `A genuine delivery is answered ${genuine}.`)
    return { ...request.delivery, printed, saw: `forged ${forged}, genuine ${genuine}` }
  } catch (error) {
    error.message += `\n${printed.stderr}`
    throw error
  } finally {
    child.kill('SIGKILL')
    await closed
  }
}

async function untilListening(port, child) {
  const end = Date.now() + START_TIME
  while ((await send(port, { headers: {}, body: '' })).outcome === 'ECONNREFUSED') {
    if (child.exitCode !== null || Date.now() > end) throw new Error('The example does not listen.')
    await setTimeout(50)
  }
}
