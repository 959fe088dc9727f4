import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import type { Quarantine, QuarantineRecord, ReceiverOptions, Rejection } from '../../src/index.ts'
import { current, expectRejection, incoming, NOW, receiverWith } from '../deliveries.ts'

/** A quarantine that keeps everything in memory. */
function memoryQuarantine(kept: Quarantine['keep'] = () => true) {
  const accepted: { readonly address: string | undefined }[] = []
  const records: QuarantineRecord[] = []
  const quarantine: Quarantine = {
    accepted: (sender) => void accepted.push(sender),
    keep(record) {
      records.push(record)
      return kept(record)
    },
  }
  return { accepted, records, quarantine }
}

/** A receiver, with another secret than that of the deliveries, and what it reports. */
function quarantining(
  quarantine: Quarantine,
  options: ReceiverOptions = {},
  secret = 'whsec_wrong',
) {
  const rejections: Rejection[] = []
  const onRejected = (rejection: Rejection) => void rejections.push(rejection)
  return { receiver: receiverWith({ onRejected, quarantine, ...options }, secret), rejections }
}

test('is given what a wrong secret rejects, byte for byte', async () => {
  const { quarantine, records, accepted } = memoryQuarantine()
  const { receiver, rejections } = quarantining(quarantine)
  const remote = () => ({ address: '192.0.2.1', url: '/webhooks?a=1' })
  const headers = { cookie: 'a=b', 'x-webhook-id': undefined }
  const request = incoming('message.received', { remote, headers })
  await expectRejection(receiver.receive(request), 401, 'signature_mismatch')
  expect(accepted).toEqual([])
  expect(rejections).toEqual([expect.objectContaining({ quarantined: true })])
  const [record] = records
  expect(record).toMatchObject({
    ...{ at: NOW, reason: 'signature_mismatch', status: 401, signatureValid: false },
    ...{ signedAt: undefined, method: 'POST', target: '/webhooks?a=1', address: '192.0.2.1' },
  })
  // No other headers, such as cookies.
  expect(record?.headers.map(([header]) => header).sort()).toEqual([
    ...['content-type', 'x-webhook-signature', 'x-webhook-timestamp'],
  ])
  const again = await receiverWith().receive({
    ...request,
    header: (name) => Object.fromEntries(record?.headers ?? [])[name],
    readBody: () => record?.rawBody ?? new Uint8Array(),
  })
  expect(again.delivery.event).toBe('message.received')
})

test('is given a delivery that is too old, or does not fit the schema', async () => {
  const { quarantine, records } = memoryQuarantine()
  const late = quarantining(quarantine, { now: () => NOW + 301_000 }, current.secret)
  const delivery = () => incoming('message.received')
  await expectRejection(late.receiver.receive(delivery()), 401, 'timestamp_too_old')
  const schemas = { 'message.received': z.object({ missing: z.string() }) }
  const strict = quarantining(quarantine, { schemas }, current.secret)
  await expectRejection(strict.receiver.receive(delivery()), 500, 'schema_mismatch')
  const facts = { signatureValid: true, signedAt: NOW }
  expect(records).toMatchObject([
    { reason: 'timestamp_too_old', ...facts },
    { reason: 'schema_mismatch', ...facts },
  ])
})

test('is not asked about what only the sender can have done', async () => {
  const { quarantine, records } = memoryQuarantine()
  const { receiver, rejections } = quarantining(quarantine)
  const malformed = incoming('message.received', { headers: { 'x-webhook-signature': 'sha256=' } })
  await expectRejection(receiver.receive(malformed), 401, 'signature_malformed')
  const put = incoming('message.received', { method: 'PUT' })
  await expectRejection(receiver.receive(put), 405, 'method_not_allowed')
  expect(records).toEqual([])
  expect(rejections.every((rejection) => !('quarantined' in rejection))).toBe(true)
})

test('learns the address of each accepted delivery, and of nothing else', async () => {
  const { quarantine, accepted } = memoryQuarantine()
  const { receiver } = quarantining(quarantine, {}, current.secret)
  await receiver.receive(incoming('message.received', { remote: () => ({ address: '192.0.2.1' }) }))
  await receiver.receive(incoming('message.received'))
  const forged = receiver.receive(incoming('message.received', { body: new Uint8Array(3) }))
  await expectRejection(forged, 401, 'signature_mismatch')
  expect(accepted).toEqual([{ address: '192.0.2.1' }, { address: undefined }])
})

test('changes no response when it throws, rejects or takes too long, and is printed once', async () => {
  const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
  const full = () => {
    throw new Error('full')
  }
  const wrong: Quarantine['keep'][] = [full, async () => full(), () => new Promise(() => {})]
  for (const keep of wrong) {
    printed.mockClear()
    const { receiver, rejections } = quarantining(memoryQuarantine(keep).quarantine, {
      callbackTimeout: 0.01,
    })
    for (let time = 0; time < 3; time++) {
      const attempt = receiver.receive(incoming('message.received'))
      await expectRejection(attempt, 401, 'signature_mismatch')
    }
    expect(rejections.map(({ quarantined }) => quarantined)).toEqual([false, false, false])
    expect(printed).toHaveBeenCalledTimes(1)
  }
  for (const accepted of [full, async () => full()]) {
    const failing = { ...memoryQuarantine().quarantine, accepted }
    const { receiver } = quarantining(failing, {}, current.secret)
    await expect(receiver.receive(incoming('message.received'))).resolves.toBeDefined()
  }
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
  const { receiver } = quarantining(quarantine, { now: () => time })
  const reject = () =>
    expectRejection(receiver.receive(incoming('message.received')), 401, 'signature_mismatch')
  // At last, a clock that was set back.
  for (const [lines, passed] of [0, 60_000, -3_600_000].entries()) {
    time += passed
    for (let index = 0; index < 10; index++) await reject()
    expect(printed).toHaveBeenCalledTimes(lines + 1)
  }
})
