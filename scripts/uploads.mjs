// Shows on the four examples that a refused upload is seen by common clients, and what it costs in memory.
import { fileURLToPath } from 'node:url'
import { startApplication, stopApplications } from './demo/application.mjs'
import { randomSecret } from './demo/signer.mjs'
import { table, tick } from './demo/table.mjs'
import { clients, missingCommands } from './uploads/clients.mjs'
import { growth } from './uploads/memory.mjs'

const FRAMEWORKS = ['express', 'fastify', 'hono', 'koa']
const RUNS = 20
const MEBIBYTE = 1024 * 1024

const UPLOADS = [
  { name: '10 MiB announced, unsigned', status: 401, size: 10 * MEBIBYTE, headers: {} },
  {
    name: '10 MiB chunked, over the limit',
    status: 413,
    size: 10 * MEBIBYTE,
    chunked: true,
    headers: {
      'X-Webhook-Timestamp': String(Math.floor(Date.now() / 1000)),
      'X-Webhook-Signature': `sha256=${'0'.repeat(64)}`,
    },
  },
]

const FLOOD = 200 * MEBIBYTE
const MOST_GROWTH = 16

const missing = await missingCommands()
if (missing.length > 0) {
  console.error(
    `Not installed: ${missing.join(', ')}. Its rows are left out${process.env.CI ? ', which CI does not accept' : ''}.`,
  )
  if (process.env.CI) process.exitCode = 1
  if (missing.includes('curl')) delete clients.curl
  if (missing.includes('python3')) delete clients['http.client']
}

const applications = await Promise.all(
  FRAMEWORKS.map((name) =>
    startApplication(
      name,
      ['--import', 'tsx', 'server.ts'],
      fileURLToPath(new URL(`../examples/${name}/`, import.meta.url)),
      randomSecret(),
    ),
  ),
)
try {
  const rows = []
  for (const upload of UPLOADS) {
    for (const client of Object.keys(clients)) {
      console.error(`${upload.name}, by ${client}, ${RUNS} times to each …`)
      const cells = []
      for (const { port } of applications) cells.push(await seen(client, port, upload))
      rows.push([upload.name, client, ...cells])
    }
  }
  if (process.platform === 'linux') rows.push(await memory())
  else console.error('Resident memory is read from /proc, which only Linux has: not measured.')
  console.log(table(['upload', 'client', ...FRAMEWORKS], rows))
} finally {
  await stopApplications()
}

/** How many of the runs saw the status, and what the others saw. */
async function seen(client, port, upload) {
  const outcomes = []
  for (let run = 0; run < RUNS; run++) outcomes.push(await clients[client](port, upload))
  const others = outcomes.filter((outcome) => outcome !== upload.status)
  if (others.length > 0) process.exitCode = 1
  const count = `${RUNS - others.length} of ${RUNS} saw ${upload.status}`
  return `${tick(others.length === 0)} ${count}${others.length > 0 ? `, others ${[...new Set(others)]}` : ''}`
}

async function memory() {
  console.error(
    `${FLOOD / MEBIBYTE} MiB, unsigned, to each, and what that adds to the resident memory …`,
  )
  const cells = []
  for (const application of applications) {
    const mebibytes = await growth(application, FLOOD)
    const right = mebibytes < MOST_GROWTH
    if (!right) process.exitCode = 1
    cells.push(`${tick(right)} + ${mebibytes.toFixed(1)} MiB`)
  }
  return [`${FLOOD / MEBIBYTE} MiB announced, unsigned`, 'raw socket', ...cells]
}
