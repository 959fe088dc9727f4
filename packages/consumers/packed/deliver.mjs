import { spawn } from 'node:child_process'
import { createHmac, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'

const SECRET = 'whsec_consumer_test'

/** What is sent to each consumer, what it has to answer and how often its handler runs. */
const TRIALS = [
  { name: 'genuine', path: '/webhooks', expected: /^2\d\d$/, runs: 1 },
  { name: 'forged', path: '/webhooks', forged: true, expected: /^401$/, runs: 0 },
  { name: 'parsed before', path: '/parsed', expected: /^500$/, runs: 0 },
]

/** How many forged requests are sent, and how many lines they may write: one a minute for their one reason. */
const FLOOD = { requests: 300, lines: 2 }

/**
 * Starts one application of a consumer and sends it deliveries that are signed here, without any of
 * the packages, and a flood of forged ones. Gives the statuses, in the order of the trials, and what was wrong.
 */
export async function tryConsumer({ node = process.execPath, folder, file, framework }) {
  // Conditions or loaders of this process would not be those of a user.
  const env = { ...process.env, NODE_OPTIONS: '', WEBHOOK_SECRET: SECRET }
  const server = spawn(node, [file, framework], { cwd: folder, env })
  const closed = once(server, 'close')
  const errors = []
  server.stderr.on('data', (chunk) => errors.push(String(chunk)))
  const lines = createInterface({ input: server.stdout })
  const written = []
  lines.on('line', (line) => written.push(JSON.parse(line)))
  const answers = []
  const problems = []
  try {
    await Promise.race([once(lines, 'line'), closed, setTimeout(15_000, null, { ref: false })])
    const port = written.shift()?.port
    if (port === undefined) throw new Error('it did not start')
    for (const trial of TRIALS) answers.push({ trial, ...(await send(port, trial)) })
    const before = linesOf(errors)
    for (let sent = 0; sent < FLOOD.requests; sent++) await send(port, TRIALS[1])
    const flood = linesOf(errors) - before
    if (flood > FLOOD.lines) problems.push(`${FLOOD.requests} forged requests: ${flood} lines`)
  } catch (error) {
    problems.push(error.cause ? `${error.message}: ${error.cause}` : error.message)
  }
  server.kill()
  await closed
  for (const { trial, id, status } of answers) {
    const runs = written.filter((delivery) => delivery.id === id).length
    if (!trial.expected.test(status)) problems.push(`${trial.name}: it answered ${status}`)
    if (runs !== trial.runs) problems.push(`${trial.name}: the handler ran ${runs} times`)
  }
  if (problems.length > 0) problems.push(...errors)
  return { statuses: answers.map(({ status }) => status), problems }
}

function linesOf(written) {
  return written.join('').split('\n').length - 1
}

async function send(port, { path, forged = false }) {
  const id = randomUUID()
  const time = new Date().toISOString()
  const data = { instance_id: 'inst_01', event: 'message.received', data: {}, timestamp: time }
  const body = JSON.stringify({ id, event: 'message.received', created_at: time, data })
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
