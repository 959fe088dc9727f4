// What a signature is made of, for packages that compute more of them than the receiver does.
import { mac as backend } from '#mac'
import type { Mac } from './mac.ts'

export { hexadecimal } from './hexadecimal.ts'
export { MAC_BYTES, type Mac, type MacKey } from './mac.ts'
export { readTimestamp } from './timestamp.ts'

/** The backend of this runtime. Declared here, because `#mac` has no types outside this package. */
export const mac: Mac = backend
