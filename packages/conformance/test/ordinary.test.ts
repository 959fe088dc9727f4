import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadVectors, type VectorCase } from '../src/index.ts'
import { isOrdinary, playOrdinary } from '../src/ordinary.ts'
import { bodyBytes } from '../src/request.ts'

let server: Server
let seen: { body: Buffer; headers: IncomingHttpHeaders; method: string | undefined }[] = []

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray())
    seen.push({ body, headers: request.headers, method: request.method })
    if (request.url === '/moved') response.writeHead(302, { Location: '/elsewhere' })
    else response.writeHead(400, { 'Content-Type': 'application/json' })
    response.end('{ this is no JSON')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})

afterAll(() => new Promise((resolve) => server.close(resolve)))

const [vectors] = loadVectors('')

async function sent(vector: VectorCase) {
  seen = []
  const observed = await playOrdinary(vector, server)
  return { outcome: observed.outcome, requests: seen }
}

function named(id: string): VectorCase {
  const vector = vectors?.cases.find((one) => one.id === id)
  if (vector === undefined) throw new Error(`no case is named ${id}`)
  return vector
}

test.each([
  'genuine-message-received',
  'json-unusual-spelling',
  'body-fffd-to-ff',
  'body-empty',
  'coded-gzip',
  'format-form',
  'limit',
  'type-none',
  'type-form',
  'type-text',
])('the body of %s arrives untouched, with no Content-Type added', async (id) => {
  const vector = named(id)
  const { outcome, requests } = await sent(vector)
  expect(outcome).toBe('400')
  expect(requests).toHaveLength(1)
  expect(requests[0]?.body.equals(bodyBytes(vector.body))).toBe(true)
  const type = vector.headers.find(([name]) => name === 'Content-Type')?.[1]
  expect(requests[0]?.headers['content-type']).toBe(type)
})

test('a GET keeps its method and its body', async () => {
  const { requests } = await sent(named('with-get'))
  expect(requests[0]?.method).toBe('GET')
  expect(requests[0]?.body.length).toBeGreaterThan(0)
})

test('a redirect is an outcome and is not followed', async () => {
  const { outcome, requests } = await sent({ ...named('body-empty'), path: '/moved' })
  expect(outcome).toBe('302')
  expect(requests).toHaveLength(1)
})

test.each([
  'signature-twice',
  'http-1-0',
  'reused-3',
  'chunked-whole',
  'segments-of-1',
  'host-missing',
])('%s needs a raw socket', (id) => {
  expect(isOrdinary(named(id))).toBe(false)
})
