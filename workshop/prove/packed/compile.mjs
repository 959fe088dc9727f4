import { run } from '../step.mjs'

/** What goes with `module` in a tsconfig.json. Other resolutions are looked at by attw: check.mjs. */
const SETTINGS = {
  nodenext: ['--module', 'nodenext'],
  bundler: ['--module', 'esnext', '--moduleResolution', 'bundler'],
}

/** The kinds of modules, as package.json has them; a bundler takes ES modules. */
export function kindsOf(module) {
  return module === 'bundler' ? ['module'] : ['module', 'commonjs']
}

const STRICT = ['--strict', '--skipLibCheck', 'false', '--esModuleInterop', '--pretty', 'false']
const TARGET = ['--target', 'es2022', '--lib', 'es2023', '--types', 'node', '--rootDir', '.']

/** A file of somebody else's package, wherever pnpm has put it. */
const FOREIGN = /node_modules\/(?!@webhook-receiver\/|.*node_modules\/)/

/**
 * Compiles files against the packages that are installed in a folder, whose declarations are checked too.
 *
 * @param {object} compilation
 * @param {string} [compilation.tsc] of another TypeScript than that in the folder
 * @returns the errors, but for those that lie in the declarations of somebody else.
 */
export async function compile({ folder, tsc, module = 'nodenext', files, into, flags = [] }) {
  const compiler = tsc ?? 'node_modules/typescript/bin/tsc'
  const args = [
    compiler,
    ...SETTINGS[module],
    ...STRICT,
    ...TARGET,
    '--outDir',
    into,
    ...flags,
    ...files,
  ]
  const output = await run(process.execPath, args, { cwd: folder }).then(
    () => '',
    (error) => error.message,
  )
  const errors = output.split('\n').filter((line) => /error TS\d+/.test(line))
  if (output !== '' && errors.length === 0) return [output]
  return errors.filter((line) => !FOREIGN.test(line.split('(')[0]))
}
