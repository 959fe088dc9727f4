import { setTimeout as delay } from 'node:timers/promises'
import type { VectorRequest, VectorSend } from '../vectors.ts'
import type { Connection, Reply } from './connection.ts'
import { type RequestBytes, requestBytes } from './request.ts'

/** How long a server may take, where a case does not say. In milliseconds. */
export const hardTimeout = 8000

/** Sends the request of a case in the way that its `send` says, and resolves to the response. */
export async function exchange(
  connection: Connection,
  vector: VectorRequest,
  deadline: number,
): Promise<Reply> {
  const send = vector.send ?? {}
  const bytes = requestBytes(vector)
  const disconnects = send.close === true || send.abort_after_body_bytes !== undefined
  if (disconnects) return disconnect(connection, bytes, send)
  if (send.expect_100 === true) {
    await connection.write(bytes.head)
    const interim = await connection.reply(vector.method, deadline)
    // A final response in place of 100 means that the body is not wanted.
    if (typeof interim === 'string' || interim.status >= 200) return interim
    void connection.write(bytes.body)
  } else {
    // Not awaited: a response may come before the last byte is out.
    const transmission = transmit(connection, bytes, send)
    if (send.read_after_write === true) await Promise.race([transmission, timeLimit(deadline)])
  }
  return connection.finalReply(vector.method, deadline)
}

async function transmit(
  connection: Connection,
  { head, body }: RequestBytes,
  send: VectorSend,
): Promise<void> {
  const bytes = send.headers_only === true ? head : Buffer.concat([head, body])
  if (send.segment !== undefined) await connection.writePieces(bytes, send.segment, 0)
  else if (send.pieces !== undefined) {
    await connection.writePieces(bytes, Math.ceil(bytes.length / send.pieces), send.gap_ms ?? 0)
  } else if (send.read_after_write === true) await connection.writeUnread(bytes)
  else await connection.write(bytes)
  if (send.half_close === true) connection.halfClose()
}

/** A server that stops reading must not hold the client up for ever. */
function timeLimit(deadline: number): Promise<void> {
  const left = Math.max(0, deadline - performance.now())
  return delay(Math.min(hardTimeout, left), undefined, { ref: false })
}

async function disconnect(
  connection: Connection,
  { head, body }: RequestBytes,
  send: VectorSend,
): Promise<Reply> {
  const length = send.abort_after_body_bytes ?? body.length
  await Promise.race([
    connection.write(Buffer.concat([head, body.subarray(0, length)])),
    timeLimit(Number.POSITIVE_INFINITY),
  ])
  // Until the server has read what was sent: a reset discards the rest. A server in this process reads in the turns that follow, and after
  // the machine has paused it has had none when the time is over.
  await delay(15)
  for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate)
  if (send.rst === true) connection.reset()
  else connection.close()
  return 'closed'
}
