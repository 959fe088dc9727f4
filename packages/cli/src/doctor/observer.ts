import { exec } from 'node:child_process'
import { promisify } from 'node:util'
import { type CommandContext, Failure, messageOf, UsageError } from '../console/index.ts'

/** Resolves to how often the handler ran for the delivery with this id. */
export type Observer = (id: string) => Promise<number>

const TIMEOUT = 10_000

/**
 * An observer that asks a URL (GET with `?id=`) or runs a command in a shell, in which `{id}` stands
 * for the id. The response or the output is a number. The command runs with the given environment.
 *
 * The observer rejects with a Failure if it gets no number.
 *
 * @throws UsageError where it is neither.
 */
function makeObserver(target: string, env: CommandContext['env']): Observer {
  if (/^https?:\/\//i.test(target) && URL.canParse(target)) return (id) => ask(target, id)
  if (target.includes('{id}')) return (id) => run(target.replaceAll('{id}', id), env)
  throw new UsageError(
    'The command of --observe should contain {id}, which is replaced by the id of a delivery.',
  )
}

/**
 * The same, if it works: for an id that was never sent it returns 0.
 *
 * @throws UsageError where it does not.
 */
export async function workingObserver(
  target: string,
  env: CommandContext['env'],
): Promise<Observer> {
  const observe = makeObserver(target, env)
  const never = await observe(crypto.randomUUID()).catch((error: Error) => {
    throw new UsageError(error.message)
  })
  if (never === 0) return observe
  throw new UsageError(
    `--observe reports ${never} runs for an id that was never sent: it should count the runs of one delivery only.`,
  )
}

async function ask(target: string, id: string): Promise<number> {
  const url = new URL(target)
  url.searchParams.set('id', id)
  try {
    // A new connection each time: the server may have closed the old one while the probes ran.
    const headers = { connection: 'close' }
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(TIMEOUT) })
    // The connection can break off, or stall, after the head.
    const text = await response.text()
    return count(response.ok ? text : `status ${response.status}`)
  } catch (error) {
    if (error instanceof Failure) throw error
    const why = messageOf(error instanceof Error ? (error.cause ?? error) : error)
    throw new Failure(`--observe: ${url.host} did not respond: ${why}`)
  }
}

async function run(command: string, env: CommandContext['env']): Promise<number> {
  try {
    return count((await promisify(exec)(command, { env, timeout: TIMEOUT })).stdout)
  } catch (error) {
    if (error instanceof Failure) throw error
    const { code, signal, stderr } = Object(error)
    const last = String(stderr ?? '')
      .trim()
      .split('\n')
      .at(-1)
    const how = code ? `exit code ${code}` : signal
    throw new Failure(
      `--observe: the command failed (${how}${last ? `): ${last}` : ', no output).'}`,
    )
  }
}

function count(text: string): number {
  const number = text.trim()
  if (/^\d{1,9}$/.test(number)) return Number(number)
  const shown = JSON.stringify(number.length > 40 ? `${number.slice(0, 40)}…` : number)
  throw new Failure(
    `--observe should print or return how often a delivery was handled, such as 1; got ${shown}.`,
  )
}
