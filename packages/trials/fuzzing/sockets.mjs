// Sends deliveries and requests that are rejected to an application of each adapter: many behind one another on one connection,
// cut into pieces anywhere, and the last one cut off.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { oneOrAll, readCommandLine, wholeNumber } from '@webhook-receiver/checks/command-line.mjs'
import { terminalTable, tick } from '@webhook-receiver/checks/table.mjs'
import { listening } from '@webhook-receiver/conformance'
import { Connection, deliveryRequest, hardTimeout } from '@webhook-receiver/conformance/internal'
import fc from 'fast-check'
import { ADAPTERS, applications, HANDLED, PATH, tokenOf } from '../applications.mjs'

const USAGE = `npm run break -- sockets [options]

Sends valid and rejected requests to each adapter, pipelined and in pieces. What is not HTTP is in the test vectors.

  --adapter NAME   ${ADAPTERS.join(', ')} or all (all)
  --runs N         for each adapter: up to four connections at once, of up to twelve requests (200)
  --seed N         chooses the requests (1)

Exits with 1 if a response is wrong, or an error is uncaught or printed.`

const SECRET = 'whsec_for_sockets_only'
const SIGNATURE = 'X-Webhook-Signature'

/** Faults after which the connection can be used again, and the statuses. */
const REJECTED = {
  'no signature': [{ headers: { [SIGNATURE]: undefined } }, [401]],
  'a wrong signature': [{ headers: { [SIGNATURE]: `sha256=${'0'.repeat(64)}` } }, [401]],
  'another body': [{ sent: Buffer.from('{"id":"another"}') }, [401]],
  'too old': [{ skew: -400 }, [401]],
  'a coding': [{ headers: { 'Content-Encoding': 'gzip' } }, [415]],
  'no delivery': [{ body: Buffer.from('{}') }, [400]],
  'no JSON': [{ body: Buffer.from('{') }, [400]],
  // A router may have no such route.
  'another method': [{ method: 'PUT' }, [404, 405]],
}

const requests = fc.record({
  fault: fc.oneof(fc.constant('none'), fc.constantFrom(...Object.keys(REJECTED))),
  length: fc.oneof({ weight: 9, arbitrary: fc.nat({ max: 600 }) }, fc.nat({ max: 100_000 })),
  chunk: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 400 })),
})

const connections = fc.record({
  sent: fc.array(requests, { minLength: 1, maxLength: 12 }),
  cuts: fc.array(fc.nat(), { maxLength: 6 }),
  // So many bytes of one more delivery come last.
  rest: fc.oneof(fc.constant(0), fc.nat({ max: 500 })),
})

const { adapter, runs, seed } = readCommandLine(USAGE, {
  adapter: oneOrAll(ADAPTERS),
  runs: wholeNumber(200),
  seed: wholeNumber(1),
})

const printed = []
console.error = (...args) => void printed.push(args.join(' '))
const problems = []
const rows = []
for (const name of adapter) rows.push(await fuzz(name))
console.log(terminalTable(['', 'runs', 'requests', 'responses by status'], rows))
console.log(`\nNode ${process.versions.node}, seed ${seed}`)
problems.push(...printed.map((line) => `printed: ${line}`))
console.log(problems.join('\n\n') || 'No wrong response, no uncaught error.')
if (problems.length > 0) process.exitCode = 1

async function fuzz(name) {
  const server = await applications[name](SECRET, { onRejected: false })
  // As on Fastify. By Node's default of 5 s a connection is closed while a busy client is about to use it again.
  server.keepAliveTimeout = 72_000
  const { port, close } = await listening(server)
  const statuses = {}
  const result = await fc.check(
    fc.asyncProperty(fc.array(connections, { minLength: 1, maxLength: 4 }), async (all) => {
      await Promise.all(all.map((connection) => talk(port, connection, statuses)))
    }),
    { numRuns: runs, seed, includeErrorInReport: true },
  )
  await close()
  if (result.failed) problems.push(`${name}: ${await fc.asyncDefaultReportMessage(result)}`)
  const counts = Object.entries(statuses)
  const total = counts.reduce((sum, [, count]) => sum + count, 0)
  return [
    `${tick(!result.failed)} ${name}`,
    ...[result.numRuns, total].map(String),
    counts.map(([status, count]) => `${count} × ${status}`).join(', '),
  ]
}

async function talk(port, { sent, cuts, rest }, statuses) {
  const all = sent.map(written)
  const last = written({ fault: 'none', length: 600, chunk: 0 }, 'last').bytes.subarray(0, rest)
  const bytes = Buffer.concat([...all.map((request) => request.bytes), last])
  const connection = await Connection.open(port)
  const writing = writePieces(connection, bytes, cuts)
  try {
    for (const [index, { fault, method, expected, token }] of all.entries()) {
      const reply = await connection.finalReply(method, performance.now() + hardTimeout)
      const { status = reply, headers } = reply
      statuses[status] = (statuses[status] ?? 0) + 1
      if (!expected.includes(status)) throw new Error(`${status} for ${index}, ${fault}`)
      const handled = headers.get(HANDLED)
      if (handled !== token) throw new Error(`${handled} was handled for ${index}, ${fault}`)
    }
    if (rest === 0) return
    await writing
    connection.halfClose()
    const { status = 0 } = await connection.finalReply('POST', performance.now() + hardTimeout)
    if (status >= 200 && status < 300) throw new Error(`${status} for a delivery that was cut off`)
  } finally {
    connection.close()
  }
}

function written({ fault, length, chunk }, id) {
  const [wrong, expected] = REJECTED[fault] ?? [{}, [200, 204]]
  const framing = chunk && { 'Content-Length': undefined, 'Transfer-Encoding': 'chunked' }
  const content = { text: 'é'.repeat(length / 2) }
  const setup = { secret: SECRET, now: Date.now, path: PATH }
  const { head, body } = deliveryRequest(setup, `dlv-${id}`, {
    content,
    ...wrong,
    headers: { ...wrong.headers, ...framing },
  })
  return {
    fault,
    method: wrong.method ?? 'POST',
    expected,
    token: REJECTED[fault] ? undefined : tokenOf(`dlv-${id}`, body),
    bytes: Buffer.concat([Buffer.from(head), ...(chunk ? chunks(body, chunk) : [body])]),
  }
}

function* chunks(body, size) {
  for (let at = 0; at < body.length; at += size) {
    const piece = body.subarray(at, at + size)
    yield Buffer.from(`${piece.length.toString(16)}\r\n`)
    yield piece
    yield Buffer.from('\r\n')
  }
  yield Buffer.from('0\r\n\r\n')
}

async function writePieces(connection, bytes, cuts) {
  let from = 0
  const places = cuts.map((cut) => cut % (bytes.length + 1)).sort((one, other) => one - other)
  for (const to of [...places, bytes.length]) {
    await connection.write(bytes.subarray(from, to))
    await nextTurn()
    from = to
  }
}
