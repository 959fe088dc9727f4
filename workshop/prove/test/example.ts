import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import {
  compileExample,
  copyExample as copyInto,
  exampleFolder,
  scriptArguments,
  startExample as start,
} from '../example.mjs'
import {
  type Application,
  type ApplicationOptions,
  type Ending,
  type Program,
  startProgram,
} from '../program.mjs'
import { createDelivery, signedRequest as sign } from '../signing.mjs'
import { requestHead } from '../wire.mjs'

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
  const options = { cwd: exampleFolder(example), env: { PORT: '0', NO_COLOR: '1' } }
  return startProgram(process.execPath, scriptArguments(example), options).ended
}

/** A copy of an example somewhere else, with the same packages installed; gone when the test is over. */
export function copyExample(
  example: string,
  rewrite: (source: string) => string = (source) => source,
): string {
  const copy = mkdtempSync(join(tmpdir(), `example-${example}-`))
  onTestFinished(() => rmSync(copy, { recursive: true }))
  copyInto(example, copy, rewrite)
  return copy
}

/** Checks the types of a copy by its own tsconfig.json, writes its JavaScript, and starts that. */
export function startCompiled(copy: string, options: Options = {}): Promise<Application> {
  compileExample(copy)
  return startExample(copy, { args: ['server.js'], ...options })
}

/** A delivery as bytes, and the line that an example prints for it. */
export interface SignedRequest {
  readonly head: string
  readonly body: Buffer
  readonly line: string
}

/** The request of a delivery, signed without the library. */
export function signedRequest(
  secret: string,
  content: Readonly<Record<string, unknown>> = { text: 'Grüße 👋\nto <you> & \u2028me' },
): SignedRequest {
  const delivery = createDelivery('message.received', content)
  const { headers, body } = sign(secret, delivery)
  const { id, event, data } = delivery
  const line = JSON.stringify({ id, event, instance_id: data.instance_id })
  return { head: requestHead(headers), body, line }
}
