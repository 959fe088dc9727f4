// Serves what modules export, each on its port: an application with `fetch`, the `POST` of a route, or the `handler` of an AWS Lambda
// function. A module that exports none of them listens by itself.
import { pathToFileURL } from 'node:url'
import { serve } from '@hono/node-server'
import { invoke } from './lambda.mjs'

const { Bun, Deno } = globalThis
const listen = Bun?.serve ?? (Deno ? ({ fetch, port }) => Deno.serve({ port }, fetch) : serve)

const given = process.argv.slice(2)
for (let at = 0; at < given.length; at += 2) {
  const [file, port] = given.slice(at)
  try {
    serveModule(await import(pathToFileURL(file).href), Number(port))
  } catch (error) {
    // The others are served all the same.
    console.error(file, error)
    process.exitCode = 1
  }
}

function serveModule({ default: application, POST, handler }, port) {
  const handle = handler
    ? (request) => invoke(handler, request)
    : (POST ?? application?.fetch?.bind(application))
  if (handle) listen({ fetch: (request) => handle(request, process.env), port })
}
