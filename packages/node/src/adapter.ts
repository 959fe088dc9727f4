// What the adapters for frameworks on Node share.
export { captureRawBody } from './body.ts'
export { type Framework, type IncomingReceiver, incomingReceiver } from './incoming.ts'
export { PATH } from './path.ts'
export { respond, writing } from './response.ts'
