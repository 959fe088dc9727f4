import { once } from 'node:events'
import { createServer } from 'node:http'
import { onTestFinished } from 'vitest'

/**
 * Serves for the length of a test. Resolves to the URL.
 *
 * @param {import('node:http').RequestListener | import('node:net').Server} listener
 */
export async function serving(listener) {
  const server = typeof listener === 'function' ? createServer(listener) : listener
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(async () => {
    server.close()
    server.closeAllConnections?.()
    await once(server, 'close')
  })
  return `http://127.0.0.1:${server.address().port}`
}
