import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Rejection, type Scheme, webhookHandler } from '@webhook-receiver/core'
import { webhookHandler as nodeHandler } from '@webhook-receiver/node'
import { describe, expect, test } from 'vitest'
import * as schemes from '../src/index.ts'
import rows from './sent-requests.json' with { type: 'json' }

// As services send them, and as their users set them up: the signatures are made by the SDKs, or with keys made for this.
const NOW = 1_795_392_000_000

interface Expected {
  readonly status: number
  readonly id?: string
  readonly event?: string
  readonly reason?: string
  readonly detail?: readonly string[]
}

const REQUESTS = rows.map(({ name, scheme, ...row }) => ({
  ...row,
  name: `${scheme}: ${name}`,
  scheme: Reflect.get(schemes, scheme) as Scheme,
  headers: Object.entries(row.headers).flatMap(([header, value]) =>
    value === undefined ? [] : [[header, value] as const],
  ),
  expected: row.expect as Expected,
}))

describe.each(REQUESTS)('$name', ({ scheme, secret, options, target, headers, body, expected }) => {
  const seen: { handled?: object; rejected?: Rejection } = {}
  const settings = {
    scheme,
    ...options,
    now: () => NOW,
    onRejected: (rejection: Rejection) => void Object.assign(seen, { rejected: rejection }),
  }
  const work = async (delivery: object) => void Object.assign(seen, { handled: delivery })

  function check(status: number): void {
    const { reason, detail = [], status: wanted, ...delivery } = expected
    expect([status, seen.rejected?.reason]).toEqual([wanted, reason])
    for (const words of detail) expect(seen.rejected?.detail).toContain(words)
    if (reason === undefined) expect(seen.handled).toMatchObject(delivery)
    else expect(seen.handled).toBeUndefined()
  }

  test('as a Request', async () => {
    const handler = webhookHandler(secret, work, settings)
    const request = new Request(`http://10.0.0.1${target}`, {
      method: 'POST',
      headers: headers.map(([header, value]): [string, string] => [header, value]),
      body,
    })
    check((await handler(request)).status)
  })

  test('on a socket', async () => {
    const server = createServer(nodeHandler(secret, work, { ...settings, path: '/hook' }))
    // A proxy may have changed the path of a registered URL.
    const path = target.replace(/^[^?]*/, '/hook')
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    try {
      const { port } = server.address() as AddressInfo
      const init = { method: 'POST', headers: Object.fromEntries(headers), body }
      check((await fetch(`http://127.0.0.1:${port}${path}`, init)).status)
    } finally {
      server.close()
    }
  })
})
