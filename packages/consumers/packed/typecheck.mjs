import { fileURLToPath } from 'node:url'
import { run } from '@webhook-receiver/tools/step.mjs'

const TSC = fileURLToPath(new URL('../../../node_modules/typescript/bin/tsc', import.meta.url))

/** How a user's compiler may be set: an ES module or CommonJS for Node, or whatever a bundler takes. */
const SETTINGS = {
  nodenext: ['--module', 'nodenext', '--lib', 'es2023'],
  bundler: ['--module', 'esnext', '--moduleResolution', 'bundler'],
}

export const RESOLUTIONS = Object.keys(SETTINGS)

const STRICT = ['--noEmit', '--strict', '--target', 'es2022', '--types', 'node']

/** The copies of the typed consumer that a setting can compile: as ESM and as CommonJS. */
const CONSUMERS = { nodenext: ['typed.mts', 'typed.cts'], bundler: ['typed.mts'] }

/**
 * Compiles the typed consumer, and other files, against the installed packages, their declarations
 * included. Gives the errors, without those that lie in the declarations of somebody else.
 */
export async function typecheck({ folder, tsc = TSC, resolution, files = [] }) {
  const options = [...STRICT, '--esModuleInterop', '--skipLibCheck', 'false', '--pretty', 'false']
  const args = [tsc, ...SETTINGS[resolution], ...options, ...CONSUMERS[resolution], ...files]
  const output = await run(process.execPath, args, { cwd: folder }).then(
    () => '',
    (error) => error.message,
  )
  const errors = output.split('\n').filter((line) => /error TS\d+/.test(line))
  if (output !== '' && errors.length === 0) return [output]
  return errors.filter((line) => !/^node_modules\/(?!@webhook-receiver\/)/.test(line))
}
