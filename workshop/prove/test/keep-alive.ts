import { Connection, hardTimeout } from '@webhook-receiver/conformance/internal'
import { isListening } from '../wire.mjs'
import { SECRET, signedRequest } from './example.ts'

/** So many deliveries are sent at most, if the server takes all. */
const MOST = 5

/** A connection that a proxy keeps open, with one delivery after another. */
export async function openConnection(port: number) {
  const connection = await Connection.open(port)
  const deadline = () => performance.now() + hardTimeout
  const { body, ...first } = signedRequest(SECRET)
  const kept = (head: string, more = '') =>
    Buffer.from(head.replace('Connection: close', `Connection: keep-alive${more}`))

  return {
    /** Sends a head, and waits until the server asks for the body: the request is under way. */
    async begin(): Promise<void> {
      await connection.write(kept(first.head, '\r\nExpect: 100-continue'))
      await connection.reply('POST', deadline())
    },

    finish: (): Promise<void> => connection.write(body),

    /** Sends on as long as the connection is open. Resolves to the statuses, that of `finish` first. */
    async goOn(): Promise<readonly number[]> {
      const seen: number[] = []
      while (seen.length <= MOST) {
        const reply = await connection.finalReply('POST', deadline())
        if (typeof reply === 'string') break
        seen.push(reply.status)
        if (reply.headers.get('connection') === 'close') break
        const { head, body } = signedRequest(SECRET)
        await connection.write(Buffer.concat([kept(head), body]))
      }
      connection.close()
      return seen
    },
  }
}

/** Until a server accepts no more connections. */
export async function untilRefused(port: number): Promise<void> {
  while (await isListening(port));
}
