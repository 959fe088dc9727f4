import type { Server } from 'node:http'
import supertest from 'supertest'
import { bodyBytes } from './request.ts'
import type { VectorCase } from './vectors.ts'
import type { Observed } from './wire.ts'

/** Says whether an ordinary HTTP client can send the case: nothing raw, no header twice. */
export function isOrdinary(vector: VectorCase): boolean {
  const names = vector.headers.map(([name]) => name.toLowerCase())
  return (
    vector.raw_base64 === undefined &&
    vector.steps === undefined &&
    vector.send === undefined &&
    vector.content_length === undefined &&
    vector.http === 'HTTP/1.1' &&
    vector.framing === 'content-length' &&
    vector.path.startsWith('/') &&
    // The client resolves such paths itself, and would send another one.
    !/^\/\/|\/\.|%00|%zz/.test(vector.path) &&
    new Set(names).size === names.length &&
    !names.includes('__proto__') &&
    // Node's client sends the head at once when it sees this one, before the rest is set.
    !names.includes('expect') &&
    names.length < 100
  )
}

/** Sends the case with supertest. */
export async function playOrdinary(vector: VectorCase, server: Server): Promise<Observed> {
  const started = performance.now()
  const method = vector.method.toLowerCase()
  const agent: Record<string, unknown> = { ...supertest(server) }
  if (!isVerb(agent[method])) throw new TypeError(`supertest has no ${vector.method}`)
  const request = agent[method](vector.path)
  for (const [name, value] of vector.headers) request.set(name, value)
  const response = await request
    .redirects(0)
    .ok(() => true)
    .buffer(true)
    // What comes back is judged by its status; a body of any type must not fail the client.
    .parse((incoming, done) => {
      incoming.on('end', () => done(null, undefined))
      incoming.on('data', () => {})
    })
    // Without this, a Buffer under a JSON type is turned into the JSON text of a Buffer.
    .serialize((body) => body)
    .send(bodyBytes(vector.body))
  return { outcome: String(response.status), milliseconds: performance.now() - started }
}

function isVerb(value: unknown): value is (path: string) => supertest.Test {
  return typeof value === 'function'
}
