// Serves a module of the documentation that speaks Request: a route handler of Next.js, or an object with `fetch`.
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { serve } from '@hono/node-server'

type Fetch = (request: Request, env: NodeJS.ProcessEnv) => Promise<Response>

interface Served {
  readonly POST?: Fetch
  readonly default?: { readonly fetch: Fetch }
}

const file = pathToFileURL(resolve(process.argv[2] ?? '')).href
const served: Served = await import(file)
const fetch = served.POST ?? served.default?.fetch
if (!fetch) throw new Error(`${file} exports neither POST nor an object with fetch`)

const options = { fetch: (request: Request) => fetch(request, process.env) }
serve({ ...options, port: Number(process.env.PORT) }, ({ port }) => {
  console.error(`Listening on http://localhost:${port}/webhooks`)
})
