// Serves what an example exports: an application with `fetch`, or the `POST` of a route.
import { pathToFileURL } from 'node:url'
import { serve } from '@hono/node-server'

const [file, port] = process.argv.slice(2)
const { default: application, POST } = await import(pathToFileURL(file).href)
const handle = POST ?? application.fetch.bind(application)
serve({ fetch: (request) => handle(request, process.env), port: Number(port) })
