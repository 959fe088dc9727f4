import { readFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { listening } from '@webhook-receiver/conformance'
import { createReceiver, type Scheme } from '@webhook-receiver/core'
import { webhookHandler } from '@webhook-receiver/express'
import { github, linear, shopify, stripe, twilio } from '@webhook-receiver/schemes'
import express from 'express'
import { describe, expect, test, vi } from 'vitest'

const SCHEMES = { github, linear, shopify, stripe, twilio }

/** A request as a service, or its user, really sent it. */
interface Field {
  readonly name: string
  readonly scheme: keyof typeof SCHEMES
  readonly secret: string
  readonly options?: { readonly publicUrl?: string }
  readonly target: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body: string
  readonly expect: object
}

const file = new URL('field.json', import.meta.url)
const { now, cases }: { now: number; cases: readonly Field[] } = JSON.parse(
  readFileSync(file, 'utf8'),
)

describe.each(cases)(
  '$name',
  ({ scheme: name, secret, options, target, headers, body, ...one }) => {
    const scheme: Scheme = SCHEMES[name]
    const receiving = { ...options, scheme, now: () => now, onRejected: false } as const

    test('is accepted by core', async () => {
      const receiver = createReceiver(secret, receiving)
      const { delivery } = await receiver.receiveRequest(
        new Request(`http://10.0.0.1:3000${target}`, {
          method: 'POST',
          headers: headers.map(([header, value]): [string, string] => [header, value]),
          body,
        }),
      )
      expect(delivery).toMatchObject(one.expect)
    })

    test('is accepted by Express, on a socket', async () => {
      const work = vi.fn()
      const handler = webhookHandler(secret, { any: work }, receiving)
      const running = await listening(createServer(express().post('/hook', handler)))
      const { port } = running
      const status = await new Promise((resolve, reject) => {
        const sending = request({
          port,
          method: 'POST',
          path: target,
          headers: Object.fromEntries(headers),
        })
        sending.on('response', (response) => resolve(response.resume().statusCode))
        sending.on('error', reject).end(body)
      })
      await running.close()
      expect(status).toBe(scheme.success?.status ?? 204)
      expect(work.mock.calls).toEqual([[expect.objectContaining(one.expect), expect.anything()]])
    })
  },
)
