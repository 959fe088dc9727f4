import { parseArgs } from 'node:util'

/**
 * What a script takes under a name. What is given is read by `read`, which returns undefined for an invalid
 * value; `expected` then describes a valid one.
 *
 * @typedef {object} Option
 * @property {'string' | 'boolean'} type
 * @property {unknown} fallback the value of what is not given
 * @property {string} [expected]
 * @property {(given: string | boolean) => unknown} read
 */

/**
 * Returns the values of the declared options by their names. Ends the process with 0 after `--help`, which
 * prints the usage, and with 1 for an invalid command line.
 *
 * @param {string} usage
 * @param {Readonly<Record<string, Option>>} options
 * @param {Option} [positional] what may stand without a name, any number of times: an array, as `positionals`
 */
export function readCommandLine(usage, options, positional) {
  const { values, positionals } = parsed(usage, options, positional)
  if (values.help) {
    console.log(usage)
    process.exit()
  }
  const read = (name, option) => (given) => checked(name, option, given, usage)
  const found = Object.entries(options).map(([name, option]) => {
    const given = values[name]
    if (given === undefined) return [name, option.fallback]
    return [name, read(`--${name}`, option)(given)]
  })
  if (positional) found.push(['positionals', positionals.map(read('An argument', positional))])
  return Object.fromEntries(found)
}

function parsed(usage, options, positional) {
  try {
    const { tokens, ...found } = parseArgs({
      allowPositionals: positional !== undefined,
      options: { ...options, help: flag() },
      tokens: true,
    })
    const names = tokens.filter(({ kind }) => kind === 'option').map(({ name }) => name)
    const again = names.find((name, at) => names.indexOf(name) < at)
    // The last of several values must not win in silence.
    if (again) throw new Error(`--${again} is given more than once.`)
    return found
  } catch (error) {
    usageError(error.message, usage)
  }
}

function checked(name, { read, expected }, given, usage) {
  const value = read(given)
  if (value === undefined) {
    usageError(`${name} should be ${expected}; got ${JSON.stringify(given)}.`, usage)
  }
  return value
}

/**
 * Prints the problem above the usage, and ends the process with 1.
 *
 * @returns {never}
 */
export function usageError(problem, usage) {
  console.error(`${problem}\n\n${usage}`)
  process.exit(1)
}

/** True when given. */
export function flag() {
  return { type: 'boolean', fallback: false, read: (given) => given }
}

/** Anything: a file, or what only the script can judge. */
export function text() {
  return { type: 'string', fallback: undefined, read: (given) => given }
}

/** A number such as 30. */
export function wholeNumber(fallback, bounds) {
  return bounded('a whole number', /^(0|[1-9]\d*)$/, fallback, bounds)
}

/** A number such as 30, 0.5 or .5. */
export function number(fallback, bounds) {
  return bounded('a number', /^\d*\.?\d+$/, fallback, bounds)
}

export function oneOf(names, fallback) {
  return {
    type: 'string',
    fallback,
    expected: `one of ${names.join(', ')}`,
    read: (given) => (names.includes(given) ? given : undefined),
  }
}

/** An array: a name, one of the others, or, for `all` and where nothing is given, every name but the others. */
export function oneOrAll(names, others = []) {
  const { expected, read } = oneOf([...names, ...others, 'all'])
  return {
    type: 'string',
    fallback: names,
    expected,
    read: (given) => (given === 'all' ? names : read(given) && [given]),
  }
}

function bounded(what, form, fallback, { least = 1, most = 999_999_999 } = {}) {
  return {
    type: 'string',
    fallback,
    expected: `${what} from ${least} to ${most}`,
    read(given) {
      const found = Number(given)
      return form.test(given) && found >= least && found <= most ? found : undefined
    },
  }
}
