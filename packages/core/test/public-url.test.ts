import { createReceiver } from '@webhook-receiver/core'
import { challengeScheme } from '@webhook-receiver/suites'
import { describe, expect, test } from 'vitest'

const headers: Readonly<Record<string, string>> = {
  'x-challenge-time': '1795392000',
  'x-challenge-signature': Buffer.alloc(32).toString('base64'),
}

describe.each(['https://example.com', 'https://example.com/hooks?shop=7'])(
  'with %s as publicUrl',
  (publicUrl) => {
    test.each([undefined, Symbol('url'), 7, ['/x'], { toString: () => '/x' }])(
      'an adapter whose target is %s causes a rejection, and no other error',
      async (url) => {
        const receiver = createReceiver('secret', {
          ...{ scheme: challengeScheme, publicUrl, onRejected: false },
        })
        const receiving = receiver.receive({
          method: 'POST',
          header: (name) => headers[name],
          readBody: () => new Uint8Array(2),
          context: new Request('https://example.com'),
          remote: () => ({ url: url as never }),
        })
        await expect(receiving).rejects.toMatchObject({ name: 'WebhookError', status: 401 })
      },
    )
  },
)
