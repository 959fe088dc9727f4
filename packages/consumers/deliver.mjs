import { createHmac, randomUUID } from 'node:crypto'
import { startProgram } from './process.mjs'

const SECRET = 'whsec_consumer_test'

/** What can be sent, what the application has to answer and how often its handler runs. */
const TRIALS = {
  genuine: { path: '/webhooks', expected: /^2\d\d$/, runs: 1 },
  forged: { path: '/webhooks', forged: true, expected: /^401$/, runs: 0 },
  parsed: { path: '/parsed', expected: /^500$/, runs: 0 },
}

/** How many forged requests are sent, and how many lines they may write: one a minute for their one reason. */
const FLOOD = { requests: 100, lines: 2 }

/** A program of Node that prints the address of its server as JSON, and then a line for each delivery. */
export function startNode({ node = process.execPath, cwd, file, args = [] }) {
  const env = { WEBHOOK_SECRET: SECRET }
  return startProgram({ command: [node, file, ...args], cwd, env, reported: /"port":(\d+)/ })
}

/**
 * Starts an application and sends it a genuine and a forged delivery, which are signed here without any of the packages.
 *
 * @param {(secret: string) => Promise<object>} start gives a program of `startProgram`.
 * @param {object} [options]
 * @param {boolean} [options.parses] it has a route on which a parser has read the body before the receiver.
 * @param {boolean} [options.quiet] it prints nothing of its own: a flood of forged deliveries may write few lines.
 * @returns the statuses and what was wrong.
 */
export async function tryApplication(start, { parses = false, quiet = false } = {}) {
  const problems = []
  const answers = []
  const program = await start(SECRET)
  const { written } = program
  try {
    for (const name of ['genuine', 'forged', ...(parses ? ['parsed'] : [])]) {
      answers.push({ name, ...(await send(program.port, TRIALS[name])) })
    }
    const before = linesOf(written.stderr)
    for (let sent = 0; quiet && sent < FLOOD.requests; sent++)
      await send(program.port, TRIALS.forged)
    const flood = linesOf(written.stderr) - before
    if (flood > FLOOD.lines) problems.push(`${FLOOD.requests} forged requests: ${flood} lines`)
  } catch (error) {
    problems.push(error.cause ? `${error.message}: ${error.cause}` : error.message)
  }
  await program.close()
  for (const { name, id, status } of answers) {
    const { expected, runs } = TRIALS[name]
    const ran = written.stdout.split(`"id":"${id}"`).length - 1
    if (!expected.test(status)) problems.push(`${name}: it answered ${status}`)
    if (ran !== runs) problems.push(`${name}: the handler ran ${ran} times`)
  }
  if (problems.length > 0) problems.push(written.stdout, written.stderr)
  return { saw: answers.map(({ status }) => status).join(' '), problems }
}

function linesOf(written) {
  return written.split('\n').length - 1
}

async function send(port, { path, forged = false }) {
  const id = randomUUID()
  const time = new Date().toISOString()
  const event = 'instance.connected'
  const data = { instance_id: 'inst_01', event, data: { phone: '+4930123456' }, timestamp: time }
  const body = JSON.stringify({ id, event, created_at: time, data })
  const timestamp = String(Math.floor(Date.now() / 1000))
  const signed = forged ? body.replace('inst_01', 'inst_02') : body
  const digest = createHmac('sha256', SECRET).update(`${timestamp}.${signed}`).digest('hex')
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'X-Webhook-Id': id,
      'X-Webhook-Timestamp': timestamp,
      'X-Webhook-Signature': `sha256=${digest}`,
    },
    body,
    signal: AbortSignal.timeout(10_000),
  })
  await response.arrayBuffer()
  return { id, status: response.status }
}
