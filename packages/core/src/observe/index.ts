export { CHANNELS } from './channels.ts'
export type { HandlingMessage, ReceivedMessage, RejectedMessage } from './messages.ts'
export {
  handlerDiagnostics,
  type ReceiverDiagnosticsOptions,
  receiverDiagnostics,
} from './publish.ts'
