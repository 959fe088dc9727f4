export { CHANNELS } from './channels.ts'
export type {
  HandlingMessage,
  ReceivedMessage,
  RejectedMessage,
  StoreMessage,
} from './messages.ts'
export {
  handlerDiagnostics,
  type ReceiverDiagnosticsOptions,
  receiverDiagnostics,
} from './publish.ts'
