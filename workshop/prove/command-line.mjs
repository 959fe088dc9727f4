import { Command, InvalidArgumentError, Option } from 'commander'

/**
 * What a script takes under a name: what it is, the value without it, and what reads the text that is given. Without `value`, the name of
 * that in the usage, it is true when given.
 *
 * @typedef {object} Declared
 * @property {string} what
 * @property {string} [value]
 * @property {unknown} [fallback]
 * @property {string} [shown] the fallback in the usage
 * @property {(given: string) => unknown} [read]
 */

/**
 * Returns the values of the declared options by their names, and those that stand without a name as `positionals`. Prints what `npm run`
 * with this name does after `--help`, and ends the process with 1 for an invalid command line.
 *
 * @param {string} name
 * @param {string} description
 * @param {Readonly<Record<string, Declared>>} options
 * @param {Declared} [positional]
 */
export function readCommandLine(name, description, options, positional) {
  const command = new Command(`npm run ${name}`)
    .description(description.replaceAll(/\n(?! )/g, ' '))
    .showHelpAfterError()
  for (const [key, { what, value = '', fallback, shown, read }] of Object.entries(options)) {
    const option = new Option(`--${key}${value && ` <${value}>`}`, what).default(fallback, shown)
    command.addOption(read ? option.argParser(read) : option)
  }
  if (positional) {
    const all = (given, before = []) => [...before, positional.read(given)]
    command.argument(`[${positional.value}...]`, positional.what, all)
  }
  command.parse()
  return { ...command.opts(), positionals: command.processedArgs[0] ?? [] }
}

/**
 * Prints the problem, and ends the process with 1.
 *
 * @returns {never}
 */
export function usageError(problem) {
  console.error(`${problem} See --help.`)
  process.exit(1)
}

export function flag(what) {
  return { what }
}

/** Anything: a file, or what only the script can judge. */
export function text(what, value = 'text') {
  return { what, value }
}

/** A number such as 30. */
export function wholeNumber(fallback, what, bounds) {
  return bounded('a whole number', /^(0|[1-9]\d*)$/, fallback, what, bounds)
}

/** A number such as 30, 0.5 or .5. */
export function number(fallback, what, bounds) {
  return bounded('a number', /^\d*\.?\d+$/, fallback, what, bounds)
}

function bounded(kind, form, fallback, what, { least = 1, most = 999_999_999 } = {}) {
  const read = (given) => {
    const found = Number(given)
    if (form.test(given) && found >= least && found <= most) return found
    throw new InvalidArgumentError(`It should be ${kind} from ${least} to ${most}.`)
  }
  return { what, value: 'n', fallback, read }
}

export function oneOf(names, what) {
  const read = (given) => {
    if (names.includes(given)) return given
    throw new InvalidArgumentError(`It should be one of ${names.join(', ')}.`)
  }
  return { what: `${what}: ${names.join(', ')}`, value: 'name', read }
}

/** An array: a name, or, for `all` and where nothing is given, every name. */
export function oneOrAll(names, what) {
  const { read, ...one } = oneOf([...names, 'all'], what)
  const several = (given) => (read(given) === 'all' ? names : [given])
  return { ...one, fallback: names, shown: 'all', read: several }
}
