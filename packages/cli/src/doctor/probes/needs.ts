import type { Scheme } from '@webhook-receiver/core'
import { defaultLimit, hasWindow } from '@webhook-receiver/core/internal'
import {
  type KeyForm,
  mistakesOf,
  type SchemeValue,
  sharesSecret,
} from '@webhook-receiver/schemes/neighbours'
import { OTHERWISE } from './mistakes.ts'

/** Whether a probe makes sense for a service. */
export function makesSense(id: string, service: Service): boolean {
  return NEEDS.every(([ids, needs]) => !ids.test(id) || needs(service))
}

/** What decides that. A body that is too large has `oversize` bytes; `shared` is how it signs where a receiver has no public key. */
export interface Service {
  readonly scheme: Scheme
  readonly value: SchemeValue | undefined
  readonly oversize: number
  readonly shared: KeyForm | undefined
}

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

export function isJson({ value }: Service): boolean {
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
