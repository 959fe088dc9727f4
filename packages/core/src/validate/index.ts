export { type Checked, checkOptions, checkValue, type OptionTable } from './check-options.ts'
export { describeKind, describeValue } from './describe.ts'
export {
  BOOLEAN,
  CLOCK,
  DAY,
  DURATION,
  EVENT_NAMES,
  functionRule,
  hidden,
  listOf,
  type NumberRange,
  numberRule,
  oneOf,
  optional,
  RETENTION,
  type Rule,
  rule,
  stringRule,
  TIMEOUT,
} from './rule.ts'
