import { createHmac } from 'node:crypto'
import { createReceiver } from '@webhook-receiver/core'
import { expect, test } from 'vitest'
import { forms } from '../src/engine/form.ts'
import { methods } from '../src/engine/methods.ts'
import { urls } from '../src/engine/urls.ts'
import { twilio } from '../src/index.ts'
import { schemeOf } from '../src/scheme.ts'

const TOKEN = 'auth-token'
const URL = 'https://example.com/hook'

/** A receiver for Twilio that counts how often a URL is spelled, and how many MACs are compared. */
function counting() {
  const counts = { spelled: 0, macs: 0 }
  const scheme = schemeOf(twilio.value, {
    forms,
    urls: {
      ...urls,
      spellings(url) {
        counts.spelled++
        return urls.spellings(url)
      },
    },
    methods(...form) {
      const method = methods(...form)
      return {
        ...method,
        verify(...signed) {
          counts.macs++
          return method.verify(...signed)
        },
      }
    },
  })
  const receiver = createReceiver(TOKEN, { scheme, publicUrl: URL, onRejected: false })
  const receive = async (signed: string) => {
    const signature = createHmac('sha1', TOKEN).update(`${signed}a1`).digest('base64')
    const headers = { 'X-Twilio-Signature': signature }
    const request = new Request('http://10.0.0.1/', { method: 'POST', headers, body: 'a=1' })
    return receiver.receiveRequest(request).then(
      () => 'verified',
      ({ reason }) => reason,
    )
  }
  return { counts, receive }
}

test('a URL that stays the same is spelled once, and no spelling is tried behind the one that matches', async () => {
  const { counts, receive } = counting()
  for (let times = 0; times < 3; times++) expect(await receive(URL)).toBe('verified')
  expect(counts).toEqual({ spelled: 1, macs: 3 })
  expect(await receive('https://example.com:443/hook')).toBe('verified')
  expect(counts).toEqual({ spelled: 1, macs: 5 })
  expect(await receive('https://example.com/other')).toBe('signature_mismatch')
  expect(counts).toEqual({ spelled: 1, macs: 7 })
})
