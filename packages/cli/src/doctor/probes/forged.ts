import { randomBytes } from 'node:crypto'
import type { Fault } from '../faults.ts'
import type { Probe } from '../probe.ts'
import { changed, delivery, type Shot, SIGNATURE, type Source, without } from '../shot.ts'
import { digest, signature } from '../signature.ts'
import { refusing } from './one-shot.ts'

/** Signatures that are not the one of what is sent. */
export const forgedProbes: readonly Probe[] = [
  forged('forged-secret', 'signed with another secret', 'verifies-nothing', (source) => [
    delivery(source, { secret: `whsec_${randomBytes(16).toString('hex')}` }),
  ]),
  forged('forged-no-secret', 'signed with no secret', 'secret-unset', (source) =>
    ['', 'undefined', 'null'].map((secret) => delivery(source, { secret })),
  ),
  forged('forged-no-signature', 'no X-Webhook-Signature', 'headers-optional', (source) => [
    without(delivery(source), SIGNATURE),
  ]),
  forged('forged-no-timestamp', 'no X-Webhook-Timestamp', 'headers-optional', (source) =>
    ['', 'undefined'].map((timestamp) =>
      without(delivery(source, { timestamp }), 'X-Webhook-Timestamp'),
    ),
  ),
  forged('forged-one-bit', 'one bit of the signature changed', 'prefix-compared', resigned(oneBit)),
  forged('forged-prefix', 'the first 56 of 64 digits right', 'prefix-compared', resigned(prefix)),
  forged('forged-truncated', 'the signature cut off', 'prefix-compared', (source) =>
    [7, 8, 39, 70].map((length) =>
      changed(delivery(source), SIGNATURE, (value) => value.slice(0, length)),
    ),
  ),
  forged('forged-upper-case', 'upper-case hex', 'lenient-signature', resigned(upperHex)),
  forged('forged-base64', 'base64 in place of hex', 'lenient-signature', resigned(base64)),
  forged('forged-two-signatures', 'two signatures, one of them right', 'several-signatures', two),
  forged('forged-body-only', 'a MAC over the body alone', 'timestamp-unsigned', (source) => {
    const shot = delivery(source)
    const mac = digest(source.secret, '', shot.body).toString('hex')
    return [changed(shot, SIGNATURE, () => `sha256=${mac}`)]
  }),
]

function forged(
  id: string,
  sends: string,
  fault: Fault,
  shots: (source: Source) => readonly Shot[],
): Probe {
  return refusing({ id, group: 'forged', sends, fault, shots })
}

function resigned(change: (value: string) => string): (source: Source) => readonly Shot[] {
  return (source) => [changed(delivery(source), SIGNATURE, change)]
}

function oneBit(value: string): string {
  return value.slice(0, -1) + flipped(value.slice(-1))
}

function prefix(value: string): string {
  return value.slice(0, -8) + [...value.slice(-8)].map(flipped).join('')
}

function flipped(digit: string): string {
  return (Number.parseInt(digit, 16) ^ 1).toString(16)
}

function upperHex(value: string): string {
  // "sha256=" stays: only the digest is in question.
  return value.slice(0, 7) + value.slice(7).toUpperCase()
}

function base64(value: string): string {
  return value.slice(0, 7) + Buffer.from(value.slice(7), 'hex').toString('base64')
}

function two(source: Source): readonly Shot[] {
  return [true, false].map((rightFirst) => {
    const shot = delivery(source)
    const wrong = [SIGNATURE, signature('whsec_another', '0', shot.body)] as const
    return {
      ...shot,
      headers: rightFirst ? [...shot.headers, wrong] : [wrong, ...shot.headers],
    }
  })
}
