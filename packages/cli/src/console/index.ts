export { whenAborted } from './aborted.ts'
export { isColoured, type Paint, paintFor, type Style } from './colour.ts'
export type { CommandContext, Output } from './context.ts'
export {
  asUsageError,
  codeOf,
  type ExitCode,
  Failure,
  Interrupted,
  messageOf,
  OperandError,
  UsageError,
} from './failure.ts'
export { type MoreKeys, takeKeys } from './keys.ts'
export { createPace } from './pace.ts'
export {
  cut,
  eventColumn,
  printable,
  printableLines,
  shortId,
  writeJson,
} from './printable.ts'
export { CLEAR_LINE, progressOn } from './progress.ts'
export { hiddenPrompt } from './prompt.ts'
export {
  isMissing,
  isNotConnected,
  noResponse,
  noResponseWords,
  serverAdvice,
} from './server-advice.ts'
export { shellWord } from './shell-word.ts'
export { type StartRow, writeStart } from './start-block.ts'
export { utcOf } from './time.ts'
export { beside, counted, tell, WIDTH, wallClock, widthOf, wrap } from './wrap.ts'
