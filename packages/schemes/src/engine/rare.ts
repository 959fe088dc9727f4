import type { HeaderLookup, Scheme } from '@webhook-receiver/core'
import type { SchemeValue } from '../value.ts'
import { checksOf } from './checks.ts'
import type { Key } from './method.ts'
import { namesOf } from './place.ts'
import { secretTaker } from './secret-offer.ts'

/**
 * Adds to a scheme what few services need: checks of the endpoint, a secret that they send, rejections without a body, and signatures in
 * several headers.
 */
export type Rare = (scheme: Scheme<Key>, value: SchemeValue) => void

export const rare: Rare = (scheme, value) => {
  const { signature, secretOffer, emptyRejections } = value
  const { readHead } = scheme
  const added: Partial<Scheme<Key>> = {
    checks: checksOf(value),
    ...(emptyRejections && { emptyRejections }),
    ...(secretOffer && { takeSecret: secretTaker(value, secretOffer) }),
    ...(signature.each && {
      readHead: (request) => readHead({ ...request, header: withEach(signature, request.header) }),
    }),
  }
  Object.assign(scheme, added)
}

/** Several headers as one: each has a signature, of which any may match. No signature has a semicolon. */
function withEach(signature: SchemeValue['signature'], header: HeaderLookup): HeaderLookup {
  const names = namesOf(signature)
  return (name) => {
    if (name !== names[0]) return header(name)
    const found = names.flatMap((one) => header(one) ?? [])
    return found.length === 0 ? undefined : found.filter(Boolean).join(';')
  }
}
