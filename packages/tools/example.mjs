import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startApplication } from './program.mjs'

const EXAMPLES = fileURLToPath(new URL('../../examples/', import.meta.url))

/** The folder of an example; that of a copy is given as it is. */
export function exampleFolder(example) {
  return resolve(EXAMPLES, example)
}

/** The arguments of Node in a script of an example's package.json. */
export function scriptArguments(example, script = 'start') {
  const manifest = readFileSync(join(exampleFolder(example), 'package.json'), 'utf8')
  const [program, ...args] = JSON.parse(manifest).scripts[script].split(' ')
  if (program !== 'node') throw new Error(`the script ${script} should be a node command`)
  return args
}

/** Starts an example as its `npm start` does. */
export function startExample(example, { args = scriptArguments(example), ...options } = {}) {
  return startApplication(args, { cwd: exampleFolder(example), ...options })
}
