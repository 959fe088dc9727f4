import { createServer, type RequestListener } from 'node:http'
import { onTestFinished } from 'vitest'

/** What arrived, for an assertion that nothing did. */
interface Arrival {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly authorization: string | undefined
}

interface MisbehavingServer {
  readonly baseUrl: string
  readonly arrivals: readonly Arrival[]
  readonly close: () => Promise<unknown>
  /** Resolves when the client has closed a connection. */
  readonly closed: Promise<void>
}

/** A server that responds as the test says, until the test is over. */
export async function serve(listener: RequestListener): Promise<MisbehavingServer> {
  const arrivals: Arrival[] = []
  let onClosed = () => {}
  const closed = new Promise<void>((resolve) => {
    onClosed = resolve
  })
  const server = createServer((req, res) => {
    res.on('close', () => onClosed())
    arrivals.push({ method: req.method, url: req.url, authorization: req.headers.authorization })
    listener(req, res)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = async () => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  }
  onTestFinished(async () => void (await close()))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('no port')
  return { baseUrl: `http://127.0.0.1:${address.port}`, arrivals, close, closed }
}

/** A server that gives one response to everything. */
export function serveResponse(
  status: number,
  body: string | Uint8Array,
  headers: Readonly<Record<string, string>> = {},
): ReturnType<typeof serve> {
  return serve((_req, res) => {
    res.writeHead(status, headers).end(body)
  })
}
