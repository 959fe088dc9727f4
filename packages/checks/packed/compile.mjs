import { run } from '../step.mjs'

const node10 = ['--moduleResolution', 'node10']
const bundler = ['--moduleResolution', 'bundler']

/** How `module` and what goes with it are set in a tsconfig.json, by major version where that matters. */
const SETTINGS = {
  commonjs: {
    // What CommonJS had always been resolved by is deprecated in 6 and gone in 7.
    5: ['--module', 'commonjs', ...node10],
    6: ['--module', 'commonjs', ...node10, '--ignoreDeprecations', '6.0'],
    7: ['--module', 'commonjs', ...bundler],
  },
  node16: ['--module', 'node16'],
  node20: ['--module', 'node20'],
  nodenext: ['--module', 'nodenext'],
  bundler: ['--module', 'esnext', ...bundler],
}

export const MODULES = Object.keys(SETTINGS)

/** The kinds of source that make sense in a setting: CommonJS, ES modules, or both side by side. */
const EXTENSIONS = { commonjs: ['ts'], bundler: ['mts'] }

export function extensionsOf(module) {
  return EXTENSIONS[module] ?? ['mts', 'cts']
}

const STRICT = ['--strict', '--skipLibCheck', 'false', '--esModuleInterop', '--pretty', 'false']
const TARGET = ['--target', 'es2022', '--lib', 'es2023', '--types', 'node', '--rootDir', '.']

/** A file of somebody else's package, wherever pnpm has put it. */
const FOREIGN = /node_modules\/(?!@webhook-receiver\/|.*node_modules\/)/

/**
 * Compiles files against the packages that are installed in a folder, whose declarations are checked too.
 *
 * @param {object} compilation
 * @param {string} [compilation.tsc] of a TypeScript whose major version is `major`.
 * @returns the errors, but for those that lie in the declarations of somebody else.
 */
export async function compile({ folder, tsc, major = 5, module, files, into, flags = [] }) {
  const compiler = tsc ?? 'node_modules/typescript/bin/tsc'
  const settings = SETTINGS[module][major] ?? SETTINGS[module]
  const args = [compiler, ...settings, ...STRICT, ...TARGET, '--outDir', into, ...flags, ...files]
  const output = await run(process.execPath, args, { cwd: folder }).then(
    () => '',
    (error) => error.message,
  )
  const errors = output.split('\n').filter((line) => /error TS\d+/.test(line))
  if (output !== '' && errors.length === 0) return [output]
  return errors.filter((line) => !FOREIGN.test(line.split('(')[0]))
}
