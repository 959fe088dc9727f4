// Shows on the four examples that a refused upload is seen by common clients, and on each receiver what it costs in memory.
import { fileURLToPath } from 'node:url'
import { startApplication, stopApplications } from '@webhook-receiver/tools/application.mjs'
import { oneOrAll, readCommandLine, wholeNumber } from '@webhook-receiver/tools/command-line.mjs'
import { randomSecret } from '@webhook-receiver/tools/signer.mjs'
import { table, tick } from '@webhook-receiver/tools/table.mjs'
import { attackAtOnce, attackOnce } from './uploads/attack.mjs'
import { CHUNKS, RECEIVERS } from './uploads/chunks.mjs'
import { clients, missingCommands } from './uploads/clients.mjs'
import { growth, upload } from './uploads/memory.mjs'

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

/** What a body of tiny chunks may add, in MiB, and the heap that has to do for many of them at once. */
const MOST_OF_CHUNKS = 32
const HEAP = 256

const USAGE = `npm run uploads -- [options]
  --part NAME      clients, chunks or all (all)
  --receiver NAME  of the part chunks: ${RECEIVERS.join(', ')} or all (all)
  --bodies N       of the part chunks: how many at once, with a heap of ${HEAP} MiB (50)
  --chunks N       of the part chunks: how many bytes each body has, one in each chunk (${CHUNKS})
Exits with 1 where an answer is not seen, or memory grows by more than it may.`

const { part, receiver, bodies, chunks } = readCommandLine(USAGE, {
  part: oneOrAll(['clients', 'chunks']),
  receiver: oneOrAll(RECEIVERS),
  bodies: wholeNumber(50),
  chunks: wholeNumber(CHUNKS),
})
if (part.includes('clients')) await seenByClients()
if (part.includes('chunks')) await inTinyChunks()

async function inTinyChunks() {
  const rows = []
  for (const kind of receiver) {
    console.error(`${chunks} chunks of one byte to ${kind}, once, then ${bodies} times at once …`)
    const once = process.platform === 'linux' ? await attackOnce(kind, chunks) : undefined
    const { forged, genuine } = await attackAtOnce(kind, { chunks, bodies, heap: HEAP })
    rows.push([
      kind,
      once ? judged(once.mebibytes < MOST_OF_CHUNKS, `+ ${once.mebibytes.toFixed(1)} MiB`) : '',
      judged(
        // 408 where so many bodies at once take too long.
        forged.every((status) => status === 401 || status === 408),
        counted(forged),
      ),
      judged(
        genuine.every((status) => status >= 200 && status < 300),
        counted(genuine),
      ),
    ])
  }
  const head = ['receiver', 'once', `${bodies} at once, ${HEAP} MiB of heap`, 'genuine meanwhile']
  console.log(table(head, rows))
}

function judged(right, text) {
  if (!right) process.exitCode = 1
  return `${tick(right)} ${text}`
}

function counted(outcomes) {
  const found = new Map()
  for (const outcome of outcomes) found.set(outcome, (found.get(outcome) ?? 0) + 1)
  return [...found].map(([outcome, count]) => `${count} × ${outcome}`).join(', ')
}

async function seenByClients() {
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
        fileURLToPath(new URL(`../../examples/${name}/`, import.meta.url)),
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
    const mebibytes = await growth(application, () => upload(application.port, FLOOD))
    const right = mebibytes < MOST_GROWTH
    if (!right) process.exitCode = 1
    cells.push(`${tick(right)} + ${mebibytes.toFixed(1)} MiB`)
  }
  return [`${FLOOD / MEBIBYTE} MiB announced, unsigned`, 'raw socket', ...cells]
}
