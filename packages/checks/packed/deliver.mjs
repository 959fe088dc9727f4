import { startApplication } from '../program.mjs'
import { createDelivery, randomSecret, signedRequest } from '../signing.mjs'
import { send } from '../wire.mjs'

/** What can be sent, the status that the application has to respond with, and how often its handler runs. */
const TRIALS = {
  valid: { path: '/webhooks', expected: /^2\d\d$/, runs: 1 },
  forged: { path: '/webhooks', forged: true, expected: /^401$/, runs: 0 },
  parsed: { path: '/parsed', expected: /^500$/, runs: 0 },
}

/** How many forged requests are sent, and how many lines they may write: one a minute for their one reason. */
const FLOOD = { requests: 100, lines: 2 }

/** A program of Node that prints the address of its server as JSON, and then a line for each delivery. */
export function startNode(secret, { node, cwd, file, args = [] }) {
  const printed = /"port":(\d+)/
  return startApplication([file, ...args], { command: node, cwd, secret, printed, group: true })
}

/**
 * Starts an application and sends it a valid and a forged delivery, which are signed here without any of the packages.
 *
 * @param {(secret: string) => Promise<object>} start gives a program of `startProgram`.
 * @param {object} [options]
 * @param {boolean} [options.parses] it has a route on which a parser has read the body before the receiver.
 * @param {boolean} [options.quiet] prints nothing itself: a flood of forged deliveries may write few lines.
 * @returns the statuses and what was wrong.
 */
export async function tryApplication(start, { parses = false, quiet = false } = {}) {
  const problems = []
  const responses = []
  const secret = randomSecret()
  const program = await start(secret)
  try {
    for (const name of ['valid', 'forged', ...(parses ? ['parsed'] : [])]) {
      responses.push({ name, ...(await sendDelivery(program.port, secret, TRIALS[name])) })
    }
    const before = linesOf(program.output().stderr)
    for (let sent = 0; quiet && sent < FLOOD.requests; sent++)
      await sendDelivery(program.port, secret, TRIALS.forged)
    const flood = linesOf(program.output().stderr) - before
    if (flood > FLOOD.lines) problems.push(`${FLOOD.requests} forged requests: ${flood} lines`)
  } catch (error) {
    problems.push(error.message)
  }
  const { stdout, stderr } = await program.stop('SIGKILL')
  for (const { name, id, status } of responses) {
    const { expected, runs } = TRIALS[name]
    const ran = stdout.split(`"id":"${id}"`).length - 1
    if (!expected.test(status)) problems.push(`${name}: it responded with ${status}`)
    if (ran !== runs) problems.push(`${name}: the handler ran ${ran} times`)
  }
  if (problems.length > 0) problems.push(stdout, stderr)
  return { saw: responses.map(({ status }) => status).join(' '), problems }
}

function linesOf(written) {
  return written.split('\n').length - 1
}

async function sendDelivery(port, secret, { path, forged = false }) {
  const { delivery, ...request } = signedRequest(
    forged ? randomSecret() : secret,
    createDelivery('instance.connected', { phone: '+4930123456' }),
  )
  const { outcome: status } = await send(port, { ...request, path })
  return { id: delivery.id, status }
}
