import { connect, createServer } from 'node:net'

/** Stands between a client and a server on 127.0.0.1 and keeps every byte that the server sends. */
export async function startRecorder(port) {
  const answers = []
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const upstream = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    const own = []
    answers.push(own)
    upstream.on('data', (bytes) => own.push(bytes))
    client.pipe(upstream)
    upstream.pipe(client)
    // A reset is handed on as such, whoever made it.
    joined(client, upstream)
    joined(upstream, client)
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const text = () => answers.map((own) => Buffer.concat(own).toString('latin1')).join('\n')
  return {
    port: server.address().port,
    bytes: text,
    /** How often each status was answered. */
    statuses() {
      const counts = new Map()
      for (const [, status] of text().matchAll(/HTTP\/1\.1 (\d{3}) /g)) {
        counts.set(Number(status), (counts.get(Number(status)) ?? 0) + 1)
      }
      return counts
    },
    stop: () => new Promise((resolve) => server.close(resolve)),
  }
}

function joined(socket, other) {
  socket.on('error', () => other.resetAndDestroy())
  socket.on('close', () => other.destroySoon())
}
