import { randomBytes } from 'node:crypto'
import type { Fault } from '../faults.ts'
import type { Probe } from '../probe.ts'
import {
  deliveryRequest,
  type ProbeRequest,
  type ProbeSettings,
  SIGNATURE,
  withHeader,
  withoutHeader,
} from '../probe-request.ts'
import { digest, signature } from '../signature.ts'
import { refusedProbe } from './simple-probe.ts'

/** Signatures that are not the one of what is sent. */
export const forgedProbes: readonly Probe[] = [
  forged('forged-secret', 'signed with another secret', 'verifies-nothing', (settings) => [
    deliveryRequest(settings, { secret: `whsec_${randomBytes(16).toString('hex')}` }),
  ]),
  forged('forged-no-secret', 'signed with no secret', 'secret-unset', (settings) =>
    ['', 'undefined', 'null'].map((secret) => deliveryRequest(settings, { secret })),
  ),
  forged('forged-no-signature', 'no X-Webhook-Signature', 'headers-optional', (settings) => [
    withoutHeader(deliveryRequest(settings), SIGNATURE),
  ]),
  forged('forged-no-timestamp', 'no X-Webhook-Timestamp', 'headers-optional', (settings) =>
    ['', 'undefined'].map((timestamp) =>
      withoutHeader(deliveryRequest(settings, { timestamp }), 'X-Webhook-Timestamp'),
    ),
  ),
  forged('forged-one-bit', 'one bit of the signature changed', 'prefix-compared', resigned(oneBit)),
  forged('forged-prefix', 'the first 56 of 64 digits right', 'prefix-compared', resigned(prefix)),
  forged('forged-truncated', 'the signature cut off', 'prefix-compared', (settings) =>
    [7, 8, 39, 70].map((length) =>
      withHeader(deliveryRequest(settings), SIGNATURE, (value) => value.slice(0, length)),
    ),
  ),
  forged('forged-upper-case', 'upper-case hex', 'lenient-signature', resigned(upperHex)),
  forged('forged-base64', 'base64 in place of hex', 'lenient-signature', resigned(base64)),
  forged('forged-two-signatures', 'two signatures, one of them right', 'several-signatures', two),
  forged('forged-body-only', 'a MAC over the body alone', 'timestamp-unsigned', (settings) => {
    const request = deliveryRequest(settings)
    const mac = digest(settings.secret, '', request.body).toString('hex')
    return [withHeader(request, SIGNATURE, () => `sha256=${mac}`)]
  }),
]

function forged(
  id: string,
  sends: string,
  fault: Fault,
  requests: (settings: ProbeSettings) => readonly ProbeRequest[],
): Probe {
  return refusedProbe({ id, group: 'forged', sends, fault, requests })
}

function resigned(
  change: (value: string) => string,
): (settings: ProbeSettings) => readonly ProbeRequest[] {
  return (settings) => [withHeader(deliveryRequest(settings), SIGNATURE, change)]
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

function two(settings: ProbeSettings): readonly ProbeRequest[] {
  return [true, false].map((rightFirst) => {
    const request = deliveryRequest(settings)
    const wrong = [SIGNATURE, signature('whsec_another', '0', request.body)] as const
    return {
      ...request,
      headers: rightFirst ? [...request.headers, wrong] : [wrong, ...request.headers],
    }
  })
}
