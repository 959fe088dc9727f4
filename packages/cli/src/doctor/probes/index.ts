import type { Scheme } from '@webhook-receiver/core'
import { defaultLimit, hasWindow } from '@webhook-receiver/core/internal'
import {
  type KeyForm,
  mistakesOf,
  type SchemeValue,
  schemeValueOf,
  sharesSecret,
} from '@webhook-receiver/schemes/neighbours'
import { successesOf } from '../../options/index.ts'
import type { Fault } from '../faults.ts'
import type { Probe, Runs } from '../probe.ts'
import described from '../probes.json' with { type: 'json' }
import { isAccepted } from '../response.ts'
import { connectionProbes } from './connection.ts'
import { OTHERWISE, rejectedProbes } from './rejected.ts'
import { repetitionProbes } from './repetition.ts'
import { validProbes } from './valid.ts'

export { PROBE_EVENT } from './valid.ts'

const RUNS: Runs = {
  ...validProbes,
  ...rejectedProbes,
  ...repetitionProbes,
  ...connectionProbes,
}

/** What is sent, in a few words, and the fault to report, by the id of the probe, in groups. Only people read it, so it is in JSON. */
type Described = Readonly<
  Record<Probe['group'], Readonly<Record<string, readonly [sends: string, fault: Fault]>>>
>

/** All probes, in the order in which they are sent. The first one tells whether there is any response. */
export const PROBES: readonly Probe[] = Object.entries(described as unknown as Described).flatMap(
  ([group, probes]) =>
    Object.entries(probes).flatMap(([id, [sends, fault]]) => {
      const run = RUNS[id]
      return run ? [{ id, group: group as Probe['group'], sends, fault, run }] : []
    }),
)

/** What a probe needs of a service, by its id; the others make sense for any. */
const NEEDS: readonly (readonly [ids: RegExp, needs: (service: Service) => boolean])[] = [
  // A form has no other spelling that stands for the same, and is not cut off visibly.
  [
    /^(?:valid-(?:indented|spaced|newline|charset)|altered-(?:mark|replacement|spelling|line-breaks|accents)|json-|coded-)/,
    isJson,
  ],
  // What only a sender of your own does, and what the packages of services take.
  [/^(?:valid-unknown-event|json-other|coded-gzip-inflated)$/, isHandWritten],
  [/^(?:valid-no-id|header-id-)/, hasUnsignedId],
  // Where nobody looks at the time, a signature without one is as good.
  [/^(?:time-|forged-no-timestamp$)/, ({ scheme }) => hasWindow(scheme)],
  // A token is no signature beside the parts that it covers.
  [/^(?:forged-(?!secret|no-signature)|time-(?!stale|future))/, ({ value }) => value !== undefined],
  [/^(?:time-(?:replaced|unreadable|loose)|forged-no-timestamp)$/, signsTimestamp],
  [/^forged-no-secret$/, ({ scheme }) => sharesSecret(scheme)],
  [/^forged-public-key$/, ({ shared }) => shared !== undefined],
  [/^forged-hash$/, canMake('signature_other_hash')],
  [/^forged-body-only$/, canMake('message_body_alone')],
  [/^forged-otherwise$/, canMake(...OTHERWISE)],
  [/^forged-two-signatures$/, ({ value }) => value?.signature.separator === undefined],
  [/^valid-rotation$/, ({ value }) => value?.signature.separator !== undefined],
  [/^duplicate/, ({ scheme }) => scheme.hasId],
  // What the service may send is accepted.
  [
    /^(?:size-|connection-after-oversize)/,
    ({ scheme, oversize }) => oversize > defaultLimit(scheme),
  ],
]

interface Service {
  readonly scheme: Scheme
  readonly value: SchemeValue | undefined
  readonly oversize: number
  readonly shared: KeyForm | undefined
}

function isJson({ value }: Service): boolean {
  return !value?.signed.includes('form')
}

/** Whether a sender of the service can make one of these mistakes. */
function canMake(...codes: readonly string[]): (service: Service) => boolean {
  return ({ value }) =>
    value !== undefined && mistakesOf(value).some(({ code }) => codes.includes(code))
}

function signsTimestamp({ value }: Service): boolean {
  return value?.signed.includes('timestamp') === true
}

/** Whether all events are known, so that senders and receivers of it are written by hand. */
function isHandWritten({ scheme }: Service): boolean {
  return scheme.events !== undefined
}

function hasUnsignedId({ scheme, value }: Service): boolean {
  return scheme.idHeader !== undefined && value?.id?.some((place) => 'pointer' in place) === true
}

/**
 * The probes for a service, where a body that is too large has `oversize` bytes, and `shared` is how it signs where a receiver has no
 * public key.
 */
export function probesFor(scheme: Scheme, oversize: number, shared?: KeyForm): readonly Probe[] {
  const service = { scheme, value: schemeValueOf(scheme), oversize, shared }
  const probes = PROBES.filter(({ id }) =>
    NEEDS.every(([ids, needs]) => !ids.test(id) || needs(service)),
  )
  // Two spellings of JSON and a forged one: what gets the same response is rejected for another reason than its signature. A
  // receiver without a secret takes what is signed with none.
  const first = [
    'valid-compact',
    isJson(service) ? 'valid-spaced' : 'valid-unicode',
    probes.some(({ id }) => id === 'forged-no-secret') ? 'forged-no-secret' : 'forged-secret',
  ]
  const order = ({ id }: Probe) => (first.includes(id) ? first.indexOf(id) : first.length)
  probes.sort((one, other) => order(one) - order(other))
  const successes = successesOf(scheme)
  return successes ? probes.map((probe) => expecting(successes, probe)) : probes
}

/** What is not checked of a service, and why. */
export function leftOut(scheme: Scheme, sent: readonly Probe[]): readonly string[] {
  const value = schemeValueOf(scheme)
  const has = (group: Probe['group']) => sent.some((one) => one.group === group)
  const service = scheme.title ?? 'this service'
  const time = value?.timestamp
    ? `for which ${service} documents no window`
    : `which ${service} does not sign`
  return [
    ...(sent.some(({ id }) => id === 'time-stale') ? [] : [`the age of a delivery, ${time}`]),
    ...(has('repetition') ? [] : [`duplicates, as the deliveries of ${service} have no id`]),
    ...(has('size') ? [] : [`the limit of a body (--oversize is within what ${service} may send)`]),
  ]
}

/** The same probe for a service that takes only some statuses for success. */
function expecting(successes: readonly string[], probe: Probe): Probe {
  return {
    ...probe,
    async run(client) {
      const found = await probe.run(client)
      const other = found.observed.find(
        (outcome) => isAccepted({ outcome }) && !successes.includes(outcome),
      )
      if (found.problems.length > 0 || !other) return found
      return {
        ...found,
        problems: [`expected ${successes.join(' or ')}, got ${other}`],
        fault: 'other-success',
      }
    },
  }
}
