import { describeKind, describeValue } from './describe.ts'
import type { Rule } from './rule.ts'

/** The rule of each option, and the default where it has one. */
export type OptionTable = Readonly<
  Record<string, readonly [rule: Rule<unknown>, fallback?: unknown]>
>

/** The options of a table with every default in its place. */
export type Checked<Table extends OptionTable> = {
  readonly [Name in keyof Table]: Table[Name][0] extends Rule<infer Value> ? Value : never
}

/**
 * Checks options against a table of rules and fills in the defaults.
 *
 * @param example What the application should have written, such as `{ limit: 65_536 }`.
 * @throws TypeError for something that is not an object, an option that does not exist, and an invalid value.
 */
export function checkOptions<Table extends OptionTable>(
  options: unknown,
  table: Table,
  example: string,
): Checked<Table> {
  const record = checkOptionNames(options, Object.keys(table), example)
  const checked = Object.entries(table).map(([name, [rule, fallback]]) => {
    const given = record[name]
    return [name, checkValue(name, given === undefined ? fallback : given, rule)]
  })
  // Each value is what its rule says.
  return Object.fromEntries(checked) as Checked<Table>
}

/** The rules of the options that only one form or adapter has. A value that may be missing has an `optional` rule. */
export type OwnRules<Own> = { readonly [Name in keyof Own]-?: Rule<Own[Name]> }

/**
 * Separates the options that have a rule here from the others, which are left to another check, as is what is no object.
 *
 * @throws TypeError for a value that does not fit its rule.
 */
export function splitOptions<Own, Options extends Own>(
  options: Options,
  rules: OwnRules<Own>,
): readonly [own: Own, others: Omit<Options, keyof Own>] {
  const own = Object.entries<Rule<unknown>>(rules).map(([name, rule]) => [
    name,
    checkValue(name, Reflect.get(Object(options), name), rule),
  ])
  const isOther = ([name]: [string, unknown]) => !Object.hasOwn(rules, name)
  const others = isRecord(options)
    ? Object.fromEntries(Object.entries(options).filter(isOther))
    : options
  // Each value is what its rule says.
  return [Object.fromEntries(own), others] as never
}

/**
 * The options as a record in which no name is misspelt.
 *
 * @throws TypeError that lists the options there are.
 */
export function checkOptionNames(
  options: unknown,
  names: readonly string[],
  example: string,
): Readonly<Record<string, unknown>> {
  if (!isRecord(options)) {
    // A string is not shown: where two arguments were swapped, it is the secret.
    throw new TypeError(
      `The options should be an object, such as ${example}; got ${describeHidden(options)}.`,
    )
  }
  for (const name in options) {
    if (names.includes(name)) continue
    const all = names.join(', ')
    throw new TypeError(`There is no option ${JSON.stringify(name)}. The options are: ${all}.`)
  }
  return options
}

/**
 * The value, where it fits the rule.
 *
 * @throws TypeError that says what it should be.
 */
export function checkValue<Value>(name: string, value: unknown, rule: Rule<Value>): Value {
  if (rule.is(value)) return value
  const got = rule.hidden ? describeHidden(value) : describeValue(value)
  throw new TypeError(`\`${name}\` should be ${rule.expected}; got ${got}.`)
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A value without any text of it. */
function describeHidden(value: unknown): string {
  return typeof value === 'string' || Array.isArray(value)
    ? describeKind(value)
    : describeValue(value)
}
