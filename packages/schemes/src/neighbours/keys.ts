import type { Scheme } from '@webhook-receiver/core'
import type { KeyForm } from '../value.ts'
import { neighbourScheme, schemeValueOf } from './made.ts'

/** Whether a text is a private key in PEM, with which a test signs in place of a service that shares no secret. */
export function isPrivateKey(text: string): boolean {
  return text.includes('-----BEGIN PRIVATE KEY-----')
}

/** Whether deliveries can be signed with this secret: it is a shared one, or a private key. */
export function isSigning(scheme: Scheme, secret: string): boolean {
  const form = publicFormOf(scheme)
  if (!form || isPrivateKey(secret)) return scheme.sign !== undefined
  return sharesSecret(scheme) && !secret.startsWith(form.secretPrefix ?? '')
}

/** Whether the service shares a secret with its receivers, or one that may be chosen. */
export function sharesSecret(scheme: Scheme): boolean {
  const { keys } = schemeValueOf(scheme) ?? {}
  return keys?.some(({ algorithm }) => algorithm.startsWith('hmac')) ?? scheme.sign !== undefined
}

/** The scheme as this secret signs: without shared secrets, where it is a private key. */
export function signedBy(scheme: Scheme, secret: string): Scheme {
  const [value, form] = [schemeValueOf(scheme), publicFormOf(scheme)]
  const isMixed = value && form && value.keys.length > 1
  return isMixed && isPrivateKey(secret) ? neighbourScheme({ ...value, keys: [form] }) : scheme
}

/** How the service shows its public key; `undefined` if it has none. */
export function publicFormOf(scheme: Scheme): KeyForm | undefined {
  return schemeValueOf(scheme)?.keys.find(({ algorithm }) => !algorithm.startsWith('hmac'))
}
