export { type Header, headerPairs, headerValue, withHeader, withoutHeaders } from './headers.ts'
export { type SignedRequest, signAgain } from './sign-again.ts'
export { signTampered, TAMPERINGS, type Tampering } from './tampering.ts'
