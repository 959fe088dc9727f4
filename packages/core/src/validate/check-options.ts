import { describeKind, describeValue, inQuotes } from './describe.ts'
import { isRecord } from './record.ts'
import type { Rule } from './rule.ts'
import { suggestion } from './suggestion.ts'

/** The rule of each option, and the default where it has one. */
export type OptionTable = Readonly<
  Record<string, readonly [rule: Rule<unknown>, fallback?: unknown]>
>

/** The table for options with these values. */
export type TableOf<Values> = {
  readonly [Name in keyof Values]: readonly [rule: Rule<Values[Name]>, fallback?: Values[Name]]
}

/** The options of a table with every default in its place. */
export type Checked<Table extends OptionTable> = {
  readonly [Name in keyof Table]: Table[Name][0] extends Rule<infer Value> ? Value : never
}

/**
 * Checks options against a table of rules and fills in the defaults.
 *
 * @param example What the application should have written, such as `{ limit: 65_536 }`.
 * @param hint as of `checkOptionNames`.
 * @throws TypeError for something that is not an object, an option that does not exist, and an invalid value.
 */
export function checkOptions<Table extends OptionTable>(
  options: unknown,
  table: Table,
  example: string,
  hint?: string,
): Checked<Table> {
  if (table.scheme?.[0].is(options)) {
    throw new TypeError('The options are a scheme: pass { scheme: stripe }.')
  }
  const record = checkOptionNames(options, Object.keys(table), example, hint)
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
 * Checks the options of a form together with those that only its adapter has.
 *
 * @throws TypeError as `checkOptions` does.
 */
export function checkFormOptions<Table extends OptionTable, Own>(
  options: unknown,
  table: Table,
  rules: OwnRules<Own>,
  example: string,
  hint?: string,
): readonly [checked: Checked<Table>, own: Own] {
  const names = Object.keys(rules)
  const own = Object.fromEntries(names.map((name) => [name, [rules[name as keyof Own]]]))
  const checked = checkOptions(options, { ...table, ...own } as Table, example, hint)
  // Each value is what its rule says.
  return [checked, Object.fromEntries(names.map((name) => [name, checked[name]])) as Own]
}

/**
 * The options as a record in which no name is misspelt.
 *
 * @param hint what is usually meant by another name, as a sentence with a space behind it.
 * @throws TypeError that lists the options there are.
 */
export function checkOptionNames(
  options: unknown,
  names: readonly string[],
  example: string,
  hint = '',
): Readonly<Record<string, unknown>> {
  if (!hasNames(options)) {
    // A string is not shown: where two arguments were swapped, it is the secret.
    throw new TypeError(
      `The options should be an object, such as ${example}; got ${describeHidden(options)}.`,
    )
  }
  for (const name in options) {
    if (names.includes(name)) continue
    throw new TypeError(
      `There is no option ${inQuotes(name)}. ${suggestion(name, names) || hint}The options are: ${names.join(', ')}.`,
    )
  }
  return options
}

/**
 * The value, where it fits the rule.
 *
 * @throws TypeError that says what it should be.
 */
export function checkValue<Value>(name: string, value: unknown, rule: Rule<Value>): Value {
  const misfit = rule.misfit?.(value)
  if (misfit !== undefined) throw new TypeError(`\`${name}\` ${misfit}`)
  const doubt = rule.doubt?.(value)
  if (!rule.is(value)) {
    const got = rule.hidden ? describeHidden(value) : describeValue(value)
    throw new TypeError(
      `\`${name}\` should be ${rule.expected}; got ${got}.${doubt === undefined ? '' : ` It ${doubt}`}`,
    )
  }
  if (doubt !== undefined) console.warn(`[webhook-receiver] \`${name}\` ${doubt}`)
  return value
}

/** Not a Map or a promise: what it holds has no names, so it would pass for options that are all left out. */
function hasNames(options: unknown): options is Readonly<Record<string, unknown>> {
  return isRecord(options) && /Object|Module/.test(Object.prototype.toString.call(options))
}

/** A value without any text of it. */
function describeHidden(value: unknown): string {
  return typeof value === 'string' || Array.isArray(value)
    ? describeKind(value)
    : describeValue(value)
}
