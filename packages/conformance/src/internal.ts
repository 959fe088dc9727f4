// For our own packages and tools: `./internal`. A change of it is never a breaking change.
export type { HandlerSetup, StartAdapter, StartHandler } from './adapter/adapter.ts'
export {
  concatRequests,
  type DeliveryRequest,
  deliveryRequest,
  type RequestFault,
} from './adapter/delivery-request.ts'
export type { RunOptions } from './adapter/run.ts'
export type { VectorRequest, VectorSend } from './vectors.ts'
export { type Address, Connection, type Reply } from './wire/connection.ts'
export { exchange, hardTimeout } from './wire/exchange.ts'
export { outcomeProblems, satisfies } from './wire/outcome.ts'
export { play } from './wire/play.ts'
export { bodyBytes } from './wire/request.ts'
export { readResponse } from './wire/response.ts'
