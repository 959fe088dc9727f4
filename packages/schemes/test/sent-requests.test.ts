import { serving } from '@webhook-receiver/checks/serving.mjs'
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
  readonly data?: unknown
  /** Of the response to a check, which is no delivery. */
  readonly text?: string
  readonly reason?: string
  /** What the operator reads, and what not. */
  readonly detail?: readonly string[]
  readonly never?: readonly string[]
}

const REQUESTS = rows.map(({ name, scheme, ...row }) => ({
  ...{ now: NOW, method: 'POST', ...row },
  name: `${scheme}: ${name}`,
  scheme: Reflect.get(schemes, scheme) as Scheme,
  headers: Object.fromEntries(
    Object.entries(row.headers).flatMap(([header, value]) =>
      value === undefined ? [] : [[header, value]],
    ),
  ),
  expected: row.expect as Expected,
}))

describe.each(REQUESTS)('$name', ({ scheme, secret, options, now, target, expected, ...row }) => {
  const { method, headers } = row
  const init = { method, headers, ...(method === 'POST' && { body: row.body }) }
  const seen: { handled?: object; rejected?: Rejection } = {}
  const settings = {
    scheme,
    ...options,
    now: () => now,
    onRejected: (rejection: Rejection) => void Object.assign(seen, { rejected: rejection }),
  }
  const work = async (delivery: object) => void Object.assign(seen, { handled: delivery })

  async function check(response: Response): Promise<void> {
    const { status, reason, detail = [], never = [], text, ...delivery } = expected
    expect([response.status, seen.rejected?.reason]).toEqual([status, reason])
    for (const words of detail) expect(seen.rejected?.detail).toContain(words)
    for (const words of never) expect(seen.rejected?.detail).not.toContain(words)
    if (text !== undefined) expect(await response.text()).toBe(text)
    if (reason === undefined && text === undefined) expect(seen.handled).toMatchObject(delivery)
    else expect(seen.handled).toBeUndefined()
  }

  test('as a Request', async () => {
    const handler = webhookHandler(secret, work, settings)
    await check(await handler(new Request(`http://10.0.0.1${target}`, init)))
  })

  test('on a socket', async () => {
    const origin = await serving(nodeHandler(secret, work, { ...settings, path: '/hook' }))
    // A proxy may have changed the path of a registered URL.
    await check(await fetch(origin + target.replace(/^[^?]*/, '/hook'), init))
  })
})
