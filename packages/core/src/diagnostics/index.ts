export { CHANNELS } from './channels.ts'
export {
  handlerDiagnostics,
  type ReceiverDiagnosticsOptions,
  receiverDiagnostics,
} from './hooks.ts'
export type { HandlingMessage, ReceivedMessage, RejectedMessage } from './messages.ts'
