import { seeded } from '@webhook-receiver/checks/seeded.mjs'
import { EVENTS } from '@webhook-receiver/core'
import { sampleDelivery } from '@webhook-receiver/core/testing'
import { expect, test } from 'vitest'
import { diagnose } from '../src/index.ts'
import { bodies, digest, INSTANT, produced, SECRET } from './produced.ts'

const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
const random = seeded(seed)
const below = (limit: number) => Math.floor(random() * limit)
const pick = <Item>(items: readonly [Item, ...Item[]]): Item =>
  items[below(items.length)] ?? items[0]
const bytes = (length: number) => Uint8Array.from({ length }, () => below(256))
const hex = (length: number) => Buffer.from(bytes(length)).toString('hex')

/** A body that a forger may send: a delivery as services write it, or something that is none. */
function body(): string {
  const event = EVENTS[below(EVENTS.length)] ?? 'message.read'
  const now = () => INSTANT + below(1e9)
  const delivery = sampleDelivery(event, { now, data: { text: hex(below(40)), n: random() } })
  return pick([
    JSON.stringify(delivery),
    JSON.stringify(delivery, null, 2),
    `${JSON.stringify(delivery)}\n`,
    JSON.stringify(JSON.stringify(delivery)),
    Buffer.from(JSON.stringify(delivery)).toString('base64'),
    `payload=${encodeURIComponent(JSON.stringify(delivery))}`,
    bodies['sorted, default'].body,
    '',
    '{}',
    hex(200),
  ])
}

/** A signature that a forger may send: made up, made with a key that is not ours, or broken. */
function signature(over: string): string {
  const mac = pick([Buffer.from(bytes(32)), digest([over], `whsec_${hex(16)}`)])
  const digits = mac.toString('hex')
  return pick([
    `sha256=${digits}`,
    `sha256=${digits}`,
    `sha256=${digits}`,
    `sha256=${digits.toUpperCase()}`,
    digits,
    mac.toString('base64'),
    `sha256=${digits}, sha256=${hex(32)}`,
    `sha256=${digits.slice(0, 16 + below(48))}`,
    `sha1=${hex(20)}`,
    `sha512=${hex(64)}`,
    `v1,${mac.toString('base64')}`,
    `t=1760000000,v1=${digits}`,
    `sha256=${'0'.repeat(64)}`,
    `sha256=${Buffer.from(over).toString('hex').slice(0, 64)}`,
  ])
}

/** Each run draws others. */
const FORGERIES = process.env.EVERYTHING ? 1000 : 100

test(`names the form of the header or an empty body at most, for ${FORGERIES} forgeries, seed ${seed}`, async () => {
  console.info(`SEED=${seed}`)
  const named = new Set<string>()
  for (let count = 0; count < FORGERIES; count++) {
    const text = body()
    const timestamp = pick(['1760000000', '1760000000123', '2025-10-09T08:53:20Z', 'soon'])
    const headers = {
      'X-Webhook-Signature': signature(`${timestamp}.${text}`),
      'Content-Length': String(Buffer.byteLength(text)),
    }
    const secrets = pick<string | Record<string, string>>([
      SECRET,
      { a: SECRET, b: `whsec_${hex(16)}` },
    ])
    const input = { secrets, apiKey: 'key_live_1', otherSecrets: { other: 'whsec_other' } }
    const found = await diagnose(produced({ body: text, timestamp, headers, input }))
    for (const { code, certainty } of found) named.add(`${code} ${certainty}`)
  }
  const other = [...named].filter(
    (one) => !/^(unknown|body_empty|signature_\w+) possible$/.test(one),
  )
  expect(other).toEqual([])
})

test('names nothing where a valid delivery was changed by one bit, in any place', async () => {
  const valid = produced()
  for (let count = 0; count < 100; count++) {
    const at = below(valid.body.length)
    const forged = valid.body.map((byte, index) => (index === at ? byte ^ (1 << below(8)) : byte))
    const [first, ...others] = await diagnose({ ...valid, body: forged })
    expect([first.code, others.length], `at ${at}, seed ${seed}`).toEqual(['unknown', 0])
  }
})
