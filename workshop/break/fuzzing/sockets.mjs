// Sends valid and forged deliveries behind one another to an application of each adapter, cut into pieces anywhere.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { oneOrAll, readCommandLine, wholeNumber } from '@webhook-receiver/checks/command-line.mjs'
import { listening } from '@webhook-receiver/conformance'
import { Connection, deliveryRequest, hardTimeout } from '@webhook-receiver/conformance/internal'
import fc from 'fast-check'
import { ADAPTERS, applications, HANDLED, PATH, tokenOf } from '../applications.mjs'

const USAGE = `npm run break -- sockets [options]

Sends valid and forged deliveries to each adapter, pipelined and in pieces. What is not HTTP, and what ends too early, is in
the test vectors.

  --adapter NAME   ${ADAPTERS.join(', ')} or all (all)
  --runs N         for each adapter: a connection with up to twelve requests (200)
  --seed N         chooses the requests (1)

Exits with 1 if a response is wrong.`

const SETUP = { secret: 'whsec_for_sockets_only', now: Date.now, path: PATH }

const connections = fc.record({
  requests: fc.array(
    fc.record({
      forged: fc.boolean(),
      length: fc.oneof({ weight: 9, arbitrary: fc.nat({ max: 600 }) }, fc.nat({ max: 100_000 })),
      isChunked: fc.boolean(),
    }),
    { minLength: 1, maxLength: 12 },
  ),
  cuts: fc.array(fc.nat(), { maxLength: 6 }),
})

const { adapter, runs, seed } = readCommandLine(USAGE, {
  adapter: oneOrAll(ADAPTERS),
  runs: wholeNumber(200),
  seed: wholeNumber(1),
})

for (const name of adapter) {
  const server = await applications[name](SETUP.secret, { onRejected: false })
  const { port, close } = await listening(server)
  const property = fc.asyncProperty(connections, (drawn) => talk(port, drawn))
  const result = await fc.check(property, { numRuns: runs, seed, includeErrorInReport: true })
  await close()
  console.log(`${name}: ${result.numRuns} connections, ${result.failed ? 'WRONG' : 'all right'}`)
  if (!result.failed) continue
  console.log(await fc.asyncDefaultReportMessage(result))
  process.exitCode = 1
}

async function talk(port, { requests, cuts }) {
  const sent = requests.map(written)
  const connection = await Connection.open(port)
  void writePieces(connection, Buffer.concat(sent.map(({ bytes }) => bytes)), cuts)
  try {
    for (const { expected, token } of sent) {
      const reply = await connection.finalReply('POST', performance.now() + hardTimeout)
      const { status = reply, headers } = reply
      const handled = headers?.get(HANDLED)
      if (expected.includes(status) && handled === token) continue
      throw new Error(`${status}, ${handled}; expected ${expected.join(' or ')}, ${token}`)
    }
  } finally {
    connection.close()
  }
}

/** A request, and the response that it has to get. */
function written({ forged, length, isChunked }, index) {
  const { head, body } = deliveryRequest(SETUP, `dlv-${index}`, {
    content: { text: 'é'.repeat(length / 2) },
    headers: {
      ...(forged && { 'X-Webhook-Signature': `sha256=${'0'.repeat(64)}` }),
      ...(isChunked && { 'Content-Length': undefined, 'Transfer-Encoding': 'chunked' }),
    },
  })
  const size = `${body.length.toString(16)}\r\n`
  const parts = isChunked ? [head, size, body, '\r\n0\r\n\r\n'] : [head, body]
  return {
    expected: forged ? [401] : [200, 204],
    token: forged ? undefined : tokenOf(`dlv-${index}`, body),
    bytes: Buffer.concat(parts.map((part) => Buffer.from(part))),
  }
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
