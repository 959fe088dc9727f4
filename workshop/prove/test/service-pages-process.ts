// Starts the servers of the pages of services, each on its port, in one process: a server reads its secret while it is imported.
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { serve } from '@hono/node-server'
import { isListening } from '../wire.mjs'

interface Started {
  readonly file: string
  readonly port: number
  readonly variable: string
  readonly secret: string
}

const given: { readonly certificate: string; readonly servers: readonly Started[] } = JSON.parse(
  readFileSync('servers.json', 'utf8'),
)
const { certificate, servers } = given

// Only the scheme of Amazon SNS fetches, and there is no AWS here.
globalThis.fetch = async () => new Response(certificate)

for (const { file, port, variable, secret } of servers) {
  process.env[variable] = secret
  const { POST } = await import(pathToFileURL(file).href)
  // A route of Next.js, which is started by its framework.
  if (POST) serve({ fetch: (request) => POST(request), port })
}
// A server may begin to listen after its module has run.
for (const { port } of servers) while (!(await isListening(port, 'localhost')));
console.log('All are listening.')
