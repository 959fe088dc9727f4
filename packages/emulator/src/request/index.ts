export { type Header, headerPairs, headerValue, withHeader } from './headers.ts'
export { messageOf, type OutgoingRequest, type ReceivedResponse, sendRequest } from './send.ts'
export { listen, type RunningServer } from './server.ts'
export {
  type RequestFacts,
  readFacts,
  type SignedRequest,
  type Signing,
  signAgain,
} from './sign-again.ts'
export { checkSource, isLoopback, isSecretEqual } from './source.ts'
export {
  signTampered,
  TAMPERINGS,
  type Tampering,
  tamperedSigning,
  tamperingsFor,
  tamperWith,
} from './tampering.ts'
export { omittedHeaders, wireHeaders } from './wire-headers.ts'
