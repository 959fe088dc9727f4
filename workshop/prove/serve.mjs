// Serves what a module exports: an application with `fetch`, the `POST` of a route, or the `handler` of an AWS Lambda function.
import { pathToFileURL } from 'node:url'
import { serve } from '@hono/node-server'
import { invoke } from './lambda.mjs'

const [file, port] = process.argv.slice(2)
const { default: application, POST, handler } = await import(pathToFileURL(file).href)
const handle = handler
  ? (request) => invoke(handler, request)
  : (POST ?? application.fetch.bind(application))
serve({ fetch: (request) => handle(request, process.env), port: Number(port) })
