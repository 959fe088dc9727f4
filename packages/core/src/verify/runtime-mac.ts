import { mac as backend } from '#mac'
import type { Mac } from './mac.ts'

/** The HMAC of this runtime. Declared here, because `#mac` has no types outside this package. */
export const mac: Mac = backend
