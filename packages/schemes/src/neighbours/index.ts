// For our own packages and tools. A change of it is never a breaking change.
export { headerAt, namesOf } from '../engine/place.ts'
export { clockReader } from '../engine/timestamp.ts'
export type { Algorithm, KeyForm, SchemeValue } from '../value.ts'
export { otherDigest, withDigests } from './digest.ts'
export { isPrivateKey, isSigning, publicFormOf, sharesSecret, signedBy } from './keys.ts'
export { cutScheme, neighbourScheme, schemeValueOf } from './made.ts'
export {
  type Mistake,
  type MistakeCode,
  type Neighbour,
  type Sent,
  sentenceOf,
  sentOf,
  signingWords,
  timestampHeader,
  withSignedTime,
  withTimestamp,
} from './mistake.ts'
export { type KeySource, SECRET_MISTAKES, type SecretMistake } from './secret.ts'
export { mistakesOf, SIGNING_MISTAKES, signWrong, withMistake } from './sign.ts'
export { SIGNATURE_MISTAKES } from './signature.ts'
export { SIGNED_MISTAKES } from './signed.ts'
export { TIME_MISTAKES } from './time.ts'
export { WRITTEN_MISTAKES, type WrittenMistake } from './written.ts'
