import { fork } from 'node:child_process'
import { once } from 'node:events'
import { dirname } from 'node:path'

/**
 * Several processes that receive the same deliveries. Each runs `program`, a TypeScript file that calls `contend`.
 *
 * @param {string} program
 */
export function createContenders(program) {
  const children = []

  /**
   * Starts one, and resolves when it is ready.
   *
   * @param {{ ids: number, copies: number, mode: 'lease' | 'transaction', fate?: 'hang' | 'hang after commit', [name: string]: unknown }} settings
   * also what `program` needs to find its store
   */
  async function start(settings) {
    const child = fork(program, [JSON.stringify(settings)], {
      execArgv: ['--import', 'tsx'],
      cwd: dirname(program),
    })
    children.push(child)
    if (!(await reply(child)).ready) throw new Error('A contender did not start.')
    return child
  }

  /** Lets it receive. Resolves to what it tells. */
  function go(child) {
    const replied = reply(child)
    child.send('go')
    return replied
  }

  /** Fails where the process ended by itself: a test has to catch it at work. */
  async function kill(child) {
    const ended = once(child, 'exit')
    if (!child.kill('SIGKILL')) throw new Error('A contender had ended before it was killed.')
    const [code, signal] = await ended
    if (signal !== 'SIGKILL') throw new Error(`A contender ended with ${code}.`)
  }

  async function killAll() {
    const running = children.filter(({ exitCode, signalCode }) => (exitCode ?? signalCode) === null)
    await Promise.all(running.map(kill))
  }

  return { start, go, kill, killAll }
}

async function reply(child) {
  const ended = once(child, 'exit').then(() => ['the process ended without a response'])
  return (await Promise.race([once(child, 'message'), ended]))[0]
}
