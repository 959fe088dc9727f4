import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as schemes from '@webhook-receiver/schemes'
import { expect, test } from 'vitest'
import { runDoctor } from '../../src/doctor/run-doctor.ts'
import { PATIENCE } from './doctor-report.ts'

const TEXT = 'a secret that is long enough'
const BASE64 = 'MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY='

/** A service, as somebody reads it on its page and writes the code by hand. */
interface Service {
  readonly scheme: keyof typeof schemes
  readonly secret: string
  readonly key: string | Buffer
  readonly encoding: 'hex' | 'base64'
  /** The signature as it was sent, without its prefix, and the time as text. */
  read(header: (name: string) => string): readonly [signature: string, time: string]
  /** What is signed in front of the body, and behind it. */
  around(time: string, header: (name: string) => string): readonly [string, string]
  /** The unit of the time in milliseconds; none without a window. */
  readonly unit?: number
}

const SERVICES: readonly Service[] = [
  {
    scheme: 'stripe',
    ...{ secret: 'whsec_handwritten', key: 'whsec_handwritten', encoding: 'hex', unit: 1000 },
    read: (header) => {
      const text = header('stripe-signature')
      return [/v1=([^,]*)/.exec(text)?.[1] ?? '', /t=([^,]*)/.exec(text)?.[1] ?? '']
    },
    around: (time) => [`${time}.`, ''],
  },
  {
    scheme: 'github',
    ...{ secret: TEXT, key: TEXT, encoding: 'hex' },
    read: (header) => [header('x-hub-signature-256').replace(/^sha256=/, ''), ''],
    around: () => ['', ''],
  },
  {
    scheme: 'slack',
    ...{ secret: TEXT, key: TEXT, encoding: 'hex', unit: 1000 },
    read: (header) => [
      header('x-slack-signature').replace(/^v0=/, ''),
      header('x-slack-request-timestamp'),
    ],
    around: (time) => [`v0:${time}:`, ''],
  },
  {
    scheme: 'standardWebhooks',
    ...{ secret: `whsec_${BASE64}`, key: Buffer.from(BASE64, 'base64'), encoding: 'base64' },
    unit: 1000,
    read: (header) => [
      header('webhook-signature').replace(/^v1,/, ''),
      header('webhook-timestamp'),
    ],
    around: (time, header) => [`${header('webhook-id')}.${time}.`, ''],
  },
  {
    scheme: 'shopify',
    ...{ secret: TEXT, key: TEXT, encoding: 'base64' },
    read: (header) => [header('x-shopify-hmac-sha256'), ''],
    around: () => ['', ''],
  },
  {
    scheme: 'zoom',
    ...{ secret: TEXT, key: TEXT, encoding: 'hex', unit: 1000 },
    read: (header) => [
      header('x-zm-signature').replace(/^v0=/, ''),
      header('x-zm-request-timestamp'),
    ],
    around: (time) => [`v0:${time}:`, ''],
  },
]

interface Parts {
  covered(before: string, body: Buffer, after: string): Buffer
  matches(sent: string, right: string): boolean
  fresh(age: number): boolean
  parse(body: Buffer): unknown
  limit: number
  key(key: string | Buffer): string | Buffer
}

const RIGHT: Parts = {
  covered: (before, body, after) => Buffer.concat([Buffer.from(before), body, Buffer.from(after)]),
  matches: (sent, right) => sent === right,
  fresh: (age) => Math.abs(age) <= 300_000,
  parse: (body) => JSON.parse(body.toString()),
  limit: 2_000_000,
  key: (key) => key,
}

/** What people write instead. */
const MISTAKES: readonly (readonly [
  what: string,
  fault: RegExp,
  parts: Partial<Parts>,
  timed?: true,
])[] = [
  [
    'compares as far as the signature goes',
    /prefix-compared/,
    { matches: (sent, right) => right.startsWith(sent) },
  ],
  [
    'compares the first 12 characters',
    /prefix-compared/,
    { matches: (sent, right) => sent.slice(0, 12) === right.slice(0, 12) },
  ],
  [
    'compares as far as the right one goes',
    /prefix-compared/,
    { matches: (sent, right) => sent.startsWith(right) },
  ],
  [
    'verifies the body as text',
    /decoded-text/,
    { covered: (before, body, after) => Buffer.from(before + body.toString() + after) },
  ],
  [
    'verifies the JSON written again',
    /reserialised-json/,
    {
      covered: (before, body, after) =>
        Buffer.from(before + JSON.stringify(JSON.parse(body.toString())) + after),
    },
  ],
  [
    'verifies the text without white space around it',
    /decoded-text/,
    { covered: (before, body, after) => Buffer.from(before + body.toString().trim() + after) },
  ],
  ['verifies nothing', /verifies-nothing/, { matches: () => true }],
  [
    'takes a request without a signature',
    /headers-optional|prefix-compared/,
    { matches: (sent, right) => sent === '' || sent === right },
  ],
  ['has no secret', /secret-unset|wrong-secret/, { key: () => 'undefined' }],
  ['never looks at the time', /any-timestamp/, { fresh: () => true }, true],
]

/** A receiver on a real socket. */
async function serve(service: Service, change: Partial<Parts>) {
  const parts = { ...RIGHT, ...change }
  const server = createServer(async (req, res) => {
    const respond = (status: number) => void res.writeHead(status).end()
    try {
      if (req.method !== 'POST') return respond(405)
      const chunks: Buffer[] = []
      let length = 0
      for await (const chunk of req) {
        length += chunk.length
        if (length <= parts.limit) chunks.push(chunk)
      }
      if (length > parts.limit) return respond(413)
      const body = Buffer.concat(chunks)
      const header = (name: string) => String(req.headers[name] ?? '')
      const [sent, time] = service.read(header)
      const [before, after] = service.around(time, header)
      const right = createHmac('sha256', parts.key(service.key))
        .update(parts.covered(before, body, after))
        .digest(service.encoding)
      if (!parts.matches(sent, right)) return respond(401)
      if (service.unit && !parts.fresh(Date.now() - Number(time) * service.unit))
        return respond(401)
      parts.parse(body)
      respond(schemeOf(service).success?.status ?? 204)
    } catch {
      respond(400)
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/webhooks`,
    close: () => server.close().closeAllConnections(),
  }
}

function schemeOf({ scheme }: Service): schemes.DefinedScheme {
  return schemes[scheme] as schemes.DefinedScheme
}

async function faultsOf(service: Service, change: Partial<Parts>): Promise<readonly string[]> {
  const { url, close } = await serve(service, change)
  try {
    const scheme = schemeOf(service)
    const report = await runDoctor({
      url,
      secret: service.secret,
      chosen: { scheme, publicUrl: undefined },
      timeout: PATIENCE,
      oversize: RIGHT.limit + 1,
    })
    // What the service's own package accepts is named below the verdict.
    return [...report.faults, ...report.notes].map(({ fault }) => fault)
  } finally {
    close()
  }
}

test.each(SERVICES)('a receiver of $scheme that is written right has no fault', async (service) => {
  expect(await faultsOf(service, {})).toEqual([])
})

test.each(
  SERVICES.flatMap((service) =>
    MISTAKES.filter(
      // What the service gives no window cannot be too old.
      ([, , , timed]) => !timed || Number.isFinite(schemeOf(service).tolerance),
    ).map(([what, fault, parts]) => [service.scheme, what, service, fault, parts] as const),
  ),
)('a receiver of %s that %s is named', async (_, __, service, fault, parts) => {
  expect((await faultsOf(service, parts)).join()).toMatch(fault)
})
