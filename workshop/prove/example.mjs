import { execFileSync } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startApplication } from './program.mjs'

const EXAMPLES = fileURLToPath(new URL('../../examples/', import.meta.url))

/**
 * The folder of an example; that of a copy is given as it is.
 *
 * @param {string} example
 */
export function exampleFolder(example) {
  return resolve(EXAMPLES, example)
}

/**
 * The arguments of Node in a script of an example's package.json.
 *
 * @param {string} example
 * @returns {string[]}
 */
export function scriptArguments(example, script = 'start') {
  const manifest = readFileSync(join(exampleFolder(example), 'package.json'), 'utf8')
  const [program, ...args] = JSON.parse(manifest).scripts[script].split(' ')
  if (program !== 'node') throw new Error(`the script ${script} should be a node command`)
  return args
}

/**
 * Starts an example as its `npm start` does.
 *
 * @param {string} example
 * @param {import('./program.mjs').ApplicationOptions & { readonly args?: readonly string[] }} [options]
 */
export function startExample(example, { args = scriptArguments(example), ...options } = {}) {
  return startApplication(args, { cwd: exampleFolder(example), ...options })
}

/**
 * Copies an example into an empty folder, with the same packages installed. `rewrite` gets each source and its name.
 *
 * @param {string} example
 * @param {string} copy
 * @param {(source: string, file: string) => string} [rewrite]
 */
export function copyExample(example, copy, rewrite = (source) => source) {
  const original = exampleFolder(example)
  for (const file of ['package.json', 'tsconfig.json']) {
    cpSync(join(original, file), join(copy, file))
  }
  symlinkSync(join(original, 'node_modules'), join(copy, 'node_modules'))
  for (const file of readdirSync(original).filter((name) => name.endsWith('.ts'))) {
    writeFileSync(join(copy, file), rewrite(readFileSync(join(original, file), 'utf8'), file))
  }
}

/** Checks the types of a copy by its own tsconfig.json, and writes its JavaScript. */
export function compileExample(copy) {
  const compiler = join(copy, 'node_modules/typescript/bin/tsc')
  execFileSync(process.execPath, [compiler, '--noEmit', 'false'], { cwd: copy, stdio: 'inherit' })
}
