// For our own packages and tools: `./internal`. A change of it is never a breaking change.
export { newDeliveryId } from './deliveries/delivery-id.ts'
export { outcomeOf, type SentRequest } from './deliveries/report.ts'
export { FAULTS, FORMER, tamperingOf } from './fault.ts'
export { type Header, headerPairs, headerValue, withHeader } from './request/headers.ts'
export { newSecret, receiverSecret } from './request/secret.ts'
export {
  messageOf,
  type OutgoingRequest,
  type ReceivedResponse,
  sendRequest,
} from './request/send.ts'
export { listen, listens, type RunningServer } from './request/server.ts'
export {
  inFormOf,
  type RequestFacts,
  readFacts,
  type SignedRequest,
  type Signing,
  signAgain,
} from './request/sign-again.ts'
export { checkSource, isLoopback, isSecretEqual } from './request/source.ts'
export {
  MISTAKES,
  mistakesFor,
  type NamedTampering,
  possibleFor,
  signTampered,
  TAMPERINGS,
  type Tampering,
  tamperedSigning,
  tamperingsFor,
  tamperWith,
} from './request/tampering.ts'
export { endToEnd, wireHeaders } from './request/wire-headers.ts'
