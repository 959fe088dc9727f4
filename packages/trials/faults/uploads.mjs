// Shows on the four examples that common clients see the rejection of an upload, and on each receiver what uploads cost in
// memory.

import { oneOrAll, readCommandLine, wholeNumber } from '@webhook-receiver/checks/command-line.mjs'
import { startExample } from '@webhook-receiver/checks/example.mjs'
import { FRAMEWORKS } from '@webhook-receiver/checks/lists.mjs'
import { stopPrograms } from '@webhook-receiver/checks/program.mjs'
import { randomSecret } from '@webhook-receiver/checks/signing.mjs'
import { terminalTable, tick } from '@webhook-receiver/checks/table.mjs'
import { exchange, requestHead } from '@webhook-receiver/checks/wire.mjs'
import { CHUNKS, measureOne, RECEIVERS, sendMany } from './uploads/chunks.mjs'
import { clients, missingCommands } from './uploads/clients.mjs'
import { growth } from './uploads/memory.mjs'

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

/** An upload without a signature, and what it may add to the memory, in MiB. */
const FLOOD = 200
const MOST_OF_FLOOD = 16

/** What a body of tiny chunks may add, in MiB, and the heap that has to do for many of them at once. */
const MOST_OF_CHUNKS = 32
const HEAP = 256

const USAGE = `npm run break -- uploads [options]
  --part NAME      clients, chunks or all (all)
  --receiver NAME  of the part chunks: ${RECEIVERS.join(', ')} or all (all)
  --bodies N       of the part chunks: how many at once, with a heap of ${HEAP} MiB (50)
  --chunks N       of the part chunks: how many bytes each body has, one in each chunk (${CHUNKS})
Exits with 1 where a response is not seen, or memory grows by more than it may.`

const { part, receiver, bodies, chunks } = readCommandLine(USAGE, {
  part: oneOrAll(['clients', 'chunks']),
  receiver: oneOrAll(RECEIVERS),
  bodies: wholeNumber(50),
  chunks: wholeNumber(CHUNKS),
})
const canMeasure = process.platform === 'linux'
if (!canMeasure) console.error('Only Linux says the resident memory: it is not measured.')
if (part.includes('clients')) await uploadFromClients()
if (part.includes('chunks')) await sendTinyChunks()

async function uploadFromClients() {
  const missing = await missingCommands()
  if (missing.length > 0) {
    console.error(`Not installed: ${missing.join(', ')}. Skipped.`)
    if (process.env.CI) process.exitCode = 1
  }
  const examples = await Promise.all(
    FRAMEWORKS.map((name) => startExample(name, { secret: randomSecret() })),
  )
  const rows = []
  for (const upload of UPLOADS) {
    for (const [client, send] of Object.entries(clients)) {
      if (missing.includes(client)) continue
      console.error(`${upload.name}, by ${client}, ${RUNS} times to each …`)
      const row = [upload.name, client]
      for (const { port } of examples) row.push(await outcomes(send, port, upload))
      rows.push(row)
    }
  }
  if (canMeasure) {
    const row = [`${FLOOD} MiB announced, unsigned`, 'raw socket']
    for (const example of examples) {
      row.push(
        memoryCell(await growth(example, () => exchange(example.port, flood())), MOST_OF_FLOOD),
      )
    }
    rows.push(row)
  }
  await stopPrograms()
  console.log(terminalTable(['upload', 'client', ...FRAMEWORKS], rows))
}

/** How many of the runs saw the right status, and what the others saw. */
async function outcomes(send, port, upload) {
  const seen = []
  for (let run = 0; run < RUNS; run++) {
    seen.push(await send(`http://127.0.0.1:${port}/webhooks`, upload))
  }
  return cell(
    seen.every((outcome) => outcome === upload.status),
    countsOf(seen),
  )
}

/** As much as the server takes. */
function* flood() {
  const length = String(FLOOD * MEBIBYTE)
  yield requestHead({ 'Content-Length': length, Connection: 'keep-alive' })
  const piece = Buffer.alloc(64 * 1024, 'x')
  for (let left = FLOOD * MEBIBYTE; left > 0; left -= piece.length) yield piece
}

async function sendTinyChunks() {
  const rows = []
  for (const kind of receiver) {
    console.error(`${chunks} chunks of one byte to ${kind}, once, then ${bodies} times at once …`)
    const one = canMeasure ? await measureOne(kind, chunks) : undefined
    const { forged, valid } = await sendMany(kind, { chunks, bodies, heap: HEAP })
    rows.push([
      kind,
      one ? memoryCell(one.mebibytes, MOST_OF_CHUNKS) : '',
      // 408 where so many bodies at once take too long.
      cell(
        forged.every((outcome) => [401, 408].includes(outcome)),
        countsOf(forged),
      ),
      cell(
        valid.every((outcome) => [200, 204].includes(outcome)),
        countsOf(valid),
      ),
    ])
  }
  const head = ['receiver', 'once', `${bodies} at once, ${HEAP} MiB of heap`, 'valid meanwhile']
  console.log(terminalTable(head, rows))
}

function memoryCell(mebibytes, most) {
  return cell(mebibytes < most, `+ ${mebibytes.toFixed(1)} MiB`)
}

function cell(right, text) {
  if (!right) process.exitCode = 1
  return `${tick(right)} ${text}`
}

function countsOf(outcomes) {
  const counts = new Map()
  for (const outcome of outcomes) counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
  return [...counts].map(([outcome, count]) => `${count} × ${outcome}`).join(', ')
}
