import { execFileSync } from 'node:child_process'
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  exampleFolder,
  scriptArguments,
  startExample as start,
} from '@webhook-receiver/tools/example.mjs'
import {
  type Application,
  type ApplicationOptions,
  type Ending,
  type Program,
  startProgram,
} from '@webhook-receiver/tools/program.mjs'
import { onTestFinished } from 'vitest'

export const SECRET = 'whsec_0a1b2c3d4e5f60718293a4b5c6d7e8f9'

type Options = ApplicationOptions & { readonly args?: readonly string[] }

/** Starts an example, or a copy, as its `npm start` does. */
export function startExample(example: string, options: Options = {}): Promise<Application> {
  return start(example, { secret: SECRET, ...options })
}

/** Starts the worker of an example as its `npm run worker` does, and waits until it is ready. */
export async function startWorker(example: string, env = {}): Promise<Program> {
  const options = { cwd: exampleFolder(example), env }
  const worker = startProgram(process.execPath, scriptArguments(example, 'worker'), options)
  await worker.printed(/^Waiting for /m)
  return worker
}

/** Starts an example without a secret, and waits for its end. */
export function startWithoutSecret(example: string): Promise<Ending> {
  const options = { cwd: exampleFolder(example), env: { PORT: '0' } }
  return startProgram(process.execPath, scriptArguments(example), options).ended
}

/** A copy of an example somewhere else, with the same packages installed; gone when the test is over. */
export function copyExample(
  example: string,
  rewrite: (source: string) => string = (source) => source,
): string {
  const copy = mkdtempSync(join(tmpdir(), `example-${example}-`))
  onTestFinished(() => rmSync(copy, { recursive: true }))
  const original = exampleFolder(example)
  for (const file of ['package.json', 'tsconfig.json']) {
    cpSync(join(original, file), join(copy, file))
  }
  symlinkSync(join(original, 'node_modules'), join(copy, 'node_modules'))
  for (const file of readdirSync(original).filter((name) => name.endsWith('.ts'))) {
    writeFileSync(join(copy, file), rewrite(readFileSync(join(original, file), 'utf8')))
  }
  return copy
}

/** Checks the types of a copy by its own tsconfig.json, writes its JavaScript, and starts that. */
export function startCompiled(copy: string, options: Options = {}): Promise<Application> {
  const compiler = join(copy, 'node_modules/typescript/bin/tsc')
  execFileSync(process.execPath, [compiler, '--noEmit', 'false'], { cwd: copy, stdio: 'inherit' })
  return startExample(copy, { args: ['server.js'], ...options })
}
