import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { SECRET, signedRequest } from './example.ts'

interface Seen {
  readonly status: number
  readonly closes: boolean
}

/** So many deliveries are sent at most, if the server takes all. */
const MOST = 5

/** A connection that a proxy keeps open, with one delivery after another. */
export async function openConnection(port: number) {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  const ended = once(socket, 'close')
  socket.on('error', () => {})
  let text = ''
  socket.setEncoding('latin1').on('data', (data) => {
    text += data
  })
  let body: Uint8Array = new Uint8Array()

  /** Sends a head, and waits until the server asks for the body: the request is under way. */
  async function begin(): Promise<void> {
    const request = signedRequest(SECRET)
    body = request.body
    write(
      request.head.replace('Connection: close', 'Connection: keep-alive\r\nExpect: 100-continue'),
    )
    await until(() => text.includes(' 100 Continue\r\n\r\n'))
    text = text.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '')
  }

  async function finish(): Promise<void> {
    write(body)
  }

  /** Sends on as long as the connection is open. Resolves to the responses, the one to `finish` first. */
  async function goOn(): Promise<readonly Seen[]> {
    const seen: Seen[] = []
    for (let sent = 0; sent <= MOST; sent++) {
      await until(() => text.includes('\r\n\r\n'))
      const head = /^HTTP\/1\.1 (\d{3}) .*?\r\n\r\n/s.exec(text)
      if (!head) break
      const closes = /^connection: close\r$/im.test(head[0])
      seen.push({ status: Number(head[1]), closes })
      if (closes) break
      text = ''
      const request = signedRequest(SECRET)
      write(request.head.replace('Connection: close', 'Connection: keep-alive'))
      write(request.body)
    }
    if (seen.at(-1)?.closes) await ended
    socket.destroy()
    return seen
  }

  function write(bytes: string | Uint8Array): void {
    if (socket.writable) socket.write(bytes)
  }

  async function until(isTrue: () => boolean): Promise<void> {
    while (!isTrue() && !socket.closed) await Promise.race([once(socket, 'data'), ended])
  }

  return { begin, finish, goOn }
}

/** Until a server accepts no more connections. */
export async function untilRefused(port: number): Promise<void> {
  for (;;) {
    const socket: Socket = connect(port, '127.0.0.1')
    const accepted = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'error').then(() => false),
    ]).catch(() => false)
    socket.destroy()
    if (!accepted) return
  }
}
