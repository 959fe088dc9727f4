import { exec } from 'node:child_process'
import type { CommandContext } from '../command-context.ts'
import { Failure, messageOf } from '../failure.ts'

/** Resolves to how often the handler ran for the delivery with this id. */
export type Observer = (id: string) => Promise<number>

const TIMEOUT = 10_000

/**
 * An observer that asks a URL (GET with `?id=`) or runs a command in a shell, in which `{id}` stands
 * for the id. The answer or the output is a number. The command runs with the given environment.
 *
 * The observer rejects with a Failure if it gets no number.
 *
 * @throws TypeError where it is neither.
 */
export function makeObserver(target: string, env: CommandContext['env']): Observer {
  if (/^https?:\/\//i.test(target)) {
    if (!URL.canParse(target)) throw new TypeError(`${JSON.stringify(target)} is not a URL.`)
    return (id) => ask(target, id)
  }
  if (!target.includes('{id}')) {
    throw new TypeError(
      'The command of --observe should contain {id}, which is replaced by the id of a delivery.',
    )
  }
  return (id) => run(target.replaceAll('{id}', id), env)
}

async function ask(target: string, id: string): Promise<number> {
  const url = new URL(target)
  url.searchParams.set('id', id)
  const unanswered = (error: Error) => {
    throw new Failure(`--observe: ${url.host} did not answer: ${messageOf(error.cause ?? error)}`)
  }
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT) }).catch(unanswered)
  // The connection can break off, or stall, after the head.
  const text = await response.text().catch(unanswered)
  if (!response.ok) throw new Failure(`--observe: ${url.host} answered ${response.status}.`)
  return count(text)
}

function run(command: string, env: CommandContext['env']): Promise<number> {
  return new Promise((resolve, reject) => {
    exec(command, { env, timeout: TIMEOUT }, (error, stdout, stderr) => {
      if (error === null) {
        try {
          resolve(count(stdout))
        } catch (wrong) {
          reject(wrong)
        }
      } else {
        const last = stderr.trim().split('\n').at(-1) ?? ''
        reject(
          new Failure(`--observe: the command failed (${error.code ?? error.signal}): ${last}`),
        )
      }
    })
  })
}

function count(text: string): number {
  const number = text.trim()
  if (/^\d{1,9}$/.test(number)) return Number(number)
  const shown = JSON.stringify(number.length > 40 ? `${number.slice(0, 40)}…` : number)
  throw new Failure(
    `--observe should print or answer how often a delivery was handled, such as 1; got ${shown}.`,
  )
}
