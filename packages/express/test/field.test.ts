import { readFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { listening } from '@webhook-receiver/conformance'
import type { Rejection, Scheme } from '@webhook-receiver/core'
import { webhookHandler } from '@webhook-receiver/express'
import {
  github,
  linear,
  meta,
  shopify,
  standardWebhooks,
  stripe,
  twilio,
} from '@webhook-receiver/schemes'
import express from 'express'
import { expect, test, vi } from 'vitest'

const SCHEMES = { github, linear, meta, shopify, standardWebhooks, stripe, twilio }

/** A request as a service, or its user, really sent it. */
interface Field {
  readonly name: string
  readonly scheme: keyof typeof SCHEMES
  readonly secret: string
  readonly options?: { readonly publicUrl?: string; readonly verifyToken?: string }
  readonly method?: string
  readonly target: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body: string
  readonly expect: object
}

/** A response that is not the success of the scheme, what the operator reads of it, and what not. */
interface Responded {
  readonly status: number
  readonly body?: string
  readonly detail?: readonly string[]
  readonly never?: readonly string[]
}

/** What the TypeError at the start says. */
interface Thrown {
  readonly throws: readonly string[]
}

const file = new URL('field.json', import.meta.url)
const { now, cases }: { now: number; cases: readonly Field[] } = JSON.parse(
  readFileSync(file, 'utf8'),
)
const isResponded = (one: object): one is Responded => 'status' in one
const isThrown = (one: object): one is Thrown => 'throws' in one

test.each(cases.filter((one) => !isThrown(one.expect)))(
  'on a socket of Express: $name',
  async ({ expect: expected, ...one }) => {
    const work = vi.fn()
    const onRejected = vi.fn<(rejection: Rejection) => void>()
    const settings = { ...receiving(one), onRejected }
    const handler = webhookHandler(one.secret, { any: work }, settings)
    const sent = await send(one, express().all('/hook', handler))
    if (!isResponded(expected)) {
      expect(sent.status).toBe(settings.scheme.success?.status ?? 204)
      expect(work.mock.calls).toEqual([[expect.objectContaining(expected), expect.anything()]])
      return
    }
    const { status, body, detail = [], never = [] } = expected
    expect(sent).toMatchObject({ status, ...(body && { body }) })
    expect(work).not.toHaveBeenCalled()
    const seen = onRejected.mock.lastCall?.[0].detail ?? ''
    for (const word of detail) expect(seen).toContain(word)
    for (const word of never) expect(seen).not.toContain(word)
  },
)

test.each(cases.filter((one) => isThrown(one.expect)))('at the start: $name', (one) => {
  const { throws } = one.expect as Thrown
  for (const word of throws) {
    expect(() => webhookHandler(one.secret, () => {}, receiving(one))).toThrow(word)
  }
})

function receiving({ scheme, options }: Pick<Field, 'scheme' | 'options'>) {
  const found: Scheme = SCHEMES[scheme]
  return { ...options, scheme: found, now: () => now, onRejected: false } as const
}

async function send(
  { method = 'POST', target, headers, body }: Omit<Field, 'expect'>,
  app: express.Express,
): Promise<{ readonly status: number | undefined; readonly body: string }> {
  const running = await listening(createServer(app))
  const { port } = running
  try {
    return await new Promise((resolve, reject) => {
      const sending = request({ port, method, path: target, headers: Object.fromEntries(headers) })
      sending.on('response', async (response) => {
        resolve({ status: response.statusCode, body: await text(response) })
      })
      sending.on('error', reject).end(body)
    })
  } finally {
    await running.close()
  }
}
