import { randomBytes } from 'node:crypto'
import type { Scheme } from '@webhook-receiver/core'
import {
  isPrivateKey,
  publicFormOf,
  schemeValueOf,
  sharesSecret,
} from '@webhook-receiver/schemes/neighbours'
import { keyPairFor } from '@webhook-receiver/schemes/services'

/** A new secret to sign with, with what those of the service begin with: a private key where it shares none. */
export function newSecret(scheme: Scheme): string {
  if (!sharesSecret(scheme)) return keyPairFor(scheme).privateKey
  const isText = schemeValueOf(scheme)?.keys.every(({ secret }) => secret === 'text')
  // Hexadecimal digits are also base64, as some services have it.
  return `${scheme.secret?.begins ?? ''}${randomBytes(24).toString(isText ? 'base64url' : 'hex')}`
}

/** What a receiver is given, to verify what this secret signs. */
export function receiverSecret(scheme: Scheme, secret: string): string {
  const isPublic = publicFormOf(scheme) !== undefined && isPrivateKey(secret)
  return isPublic ? keyPairFor(scheme, secret).publicKey : secret
}
