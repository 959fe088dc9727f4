// What the adapters for frameworks on Node share.
export { type Framework, type IncomingReceiver, incomingReceiver } from './incoming.ts'
export { PATH } from './path.ts'
export { respond } from './response.ts'
