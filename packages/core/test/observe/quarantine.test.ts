import { afterEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import {
  createReceiver,
  type Quarantine,
  type QuarantineAcceptance,
  type QuarantineRecord,
  type ReceiverOptions,
  type Rejection,
} from '../../src/index.ts'
import { current, expectRefusal, incoming, NOW } from '../deliveries.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

/** A quarantine that keeps everything in memory. */
function memoryQuarantine(kept: Quarantine['keep'] = () => true) {
  const accepted: QuarantineAcceptance[] = []
  const records: QuarantineRecord[] = []
  const quarantine: Quarantine = {
    accepted: (acceptance) => void accepted.push(acceptance),
    keep(record) {
      records.push(record)
      return kept(record)
    },
  }
  return { accepted, records, quarantine }
}

function receiverWith(
  quarantine: Quarantine,
  options: ReceiverOptions = {},
  secret = 'whsec_wrong',
) {
  const rejections: Rejection[] = []
  const receiver = createReceiver(secret, {
    now: () => NOW,
    onRejected: (rejection) => void rejections.push(rejection),
    quarantine,
    ...options,
  })
  return { receiver, rejections }
}

test('is given what a wrong secret refuses, byte for byte', async () => {
  const { quarantine, records, accepted } = memoryQuarantine()
  const { receiver, rejections } = receiverWith(quarantine)
  const request = incoming('message.received', { remote: () => ({ address: '192.0.2.1' }) })
  await expectRefusal(receiver.receive(request), 401, 'signature_mismatch')
  expect(accepted).toEqual([])
  expect(rejections).toEqual([expect.objectContaining({ quarantined: true })])
  const [record] = records
  expect(record).toMatchObject({
    at: NOW,
    reason: 'signature_mismatch',
    status: 401,
    authentic: false,
    method: 'POST',
    remote: { address: '192.0.2.1' },
  })
  const again = await createReceiver(current.secret, { now: () => NOW }).receive({
    ...request,
    header: (name) => Object.fromEntries(record?.headers ?? [])[name],
    readBody: () => record?.rawBody ?? new Uint8Array(),
  })
  expect(again.delivery.event).toBe('message.received')
})

test('is given all headers of a web-standard Request', async () => {
  const { quarantine, records } = memoryQuarantine()
  const { receiver } = receiverWith(quarantine)
  const { header, readBody } = incoming('message.received')
  const request = new Request('http://localhost/webhooks', {
    method: 'POST',
    headers: {
      'x-other': 'kept',
      'x-webhook-timestamp': header('x-webhook-timestamp') ?? '',
      'x-webhook-signature': header('x-webhook-signature') ?? '',
    },
    body: Buffer.from(await readBody(1e6, 1)),
  })
  await expectRefusal(receiver.receiveRequest(request), 401, 'signature_mismatch')
  expect(records[0]?.headers).toContainEqual(['x-other', 'kept'])
  expect(records[0]?.remote.url).toBe('http://localhost/webhooks')
})

test('is given what is authentic and too old, or does not fit the schema', async () => {
  const { quarantine, records } = memoryQuarantine()
  const late = receiverWith(quarantine, { now: () => NOW + 301_000 }, current.secret)
  await expectRefusal(late.receiver.receive(incoming('message.received')), 401, 'timestamp_too_old')
  const strict = receiverWith(
    quarantine,
    { schemas: { 'message.received': z.object({ missing: z.string() }) } },
    current.secret,
  )
  await expectRefusal(strict.receiver.receive(incoming('message.received')), 500, 'schema_mismatch')
  expect(records.map(({ reason, authentic }) => [reason, authentic])).toEqual([
    ['timestamp_too_old', true],
    ['schema_mismatch', true],
  ])
})

test('is not asked about what only the sender can have done', async () => {
  const { quarantine, records } = memoryQuarantine()
  const { receiver, rejections } = receiverWith(quarantine)
  const malformed = incoming('message.received', { headers: { 'x-webhook-signature': 'sha256=' } })
  await expectRefusal(receiver.receive(malformed), 401, 'signature_malformed')
  await expectRefusal(
    receiver.receive(incoming('message.received', { method: 'PUT' })),
    405,
    'method_not_allowed',
  )
  expect(records).toEqual([])
  expect(rejections.every((rejection) => !('quarantined' in rejection))).toBe(true)
})

test('learns of each accepted delivery, with the object of the secret that matched', async () => {
  const { quarantine, records, accepted } = memoryQuarantine()
  const { receiver } = receiverWith(quarantine, {}, current.secret)
  const { delivery } = await receiver.receive(
    incoming('message.received', { remote: () => ({ address: '192.0.2.1' }) }),
  )
  const forged = { headers: { 'x-webhook-signature': `sha256=${'0'.repeat(64)}` } }
  await expectRefusal(
    receiver.receive(incoming('message.received', forged)),
    401,
    'signature_mismatch',
  )
  expect(accepted).toHaveLength(1)
  expect(accepted[0]?.instanceId).toBe(delivery.data.instance_id)
  expect(accepted[0]?.remote()).toEqual({ address: '192.0.2.1' })
  expect(records[0]?.keys).toEqual([accepted[0]?.key])
  expect(records[0]?.keys[0]).toBe(accepted[0]?.key)
})

test('changes no answer when it throws, rejects or takes too long, and is printed once', async () => {
  const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
  const wrong: Quarantine['keep'][] = [
    () => {
      throw new Error('full')
    },
    () => Promise.reject(new Error('full')),
    () => new Promise(() => {}),
  ]
  for (const keep of wrong) {
    printed.mockClear()
    const { receiver, rejections } = receiverWith(memoryQuarantine(keep).quarantine, {
      callbackTimeout: 0.01,
    })
    for (let time = 0; time < 3; time++) {
      await expectRefusal(receiver.receive(incoming('message.received')), 401, 'signature_mismatch')
    }
    expect(rejections.map(({ quarantined }) => quarantined)).toEqual([false, false, false])
    expect(printed).toHaveBeenCalledTimes(1)
  }
  const throwing = { ...memoryQuarantine().quarantine, accepted: () => wrong[0]?.({} as never) }
  const { receiver } = receiverWith(throwing as never, {}, current.secret)
  await expect(receiver.receive(incoming('message.received'))).resolves.toBeDefined()
})

test('prints a failure once a minute, also where others succeed in between', async () => {
  const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
  let time = NOW
  let fails = true
  const { quarantine } = memoryQuarantine(() => {
    fails = !fails
    if (fails) throw new Error('full')
    return true
  })
  const { receiver } = receiverWith(quarantine, { now: () => time })
  const reject = () =>
    expectRefusal(receiver.receive(incoming('message.received')), 401, 'signature_mismatch')
  for (let index = 0; index < 10; index++) await reject()
  expect(printed).toHaveBeenCalledTimes(1)
  time += 60_000
  for (let index = 0; index < 10; index++) await reject()
  expect(printed).toHaveBeenCalledTimes(2)
  // A clock that was set back.
  time -= 3_600_000
  for (let index = 0; index < 10; index++) await reject()
  expect(printed).toHaveBeenCalledTimes(3)
})
