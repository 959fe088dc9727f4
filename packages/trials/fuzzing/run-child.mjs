import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/**
 * Runs a module in a separate process. The module finds `input` in `childInput()`, and `onMessage` gets what it sends.
 * Rejects if the process fails.
 */
export async function runChild(url, input, onMessage) {
  const file = fileURLToPath(url)
  // Express and Koa ask url.parse, which warns of invalid URLs.
  const execArgv = ['--disable-warning=DEP0170']
  const child = fork(file, [JSON.stringify(input)], { execArgv, serialization: 'advanced' })
  child.on('message', onMessage)
  // The last message may come after the exit, but not after the disconnect.
  const [[code, signal]] = await Promise.all([once(child, 'exit'), once(child, 'disconnect')])
  if (code !== 0) throw new Error(`${file} ended with ${signal ?? code}.`)
}

export function childInput() {
  return JSON.parse(process.argv[2])
}

/** Does the work for each item, for at most `most` of them at the same time. Resolves to the results in order. */
export async function inParallel(items, most, work) {
  const results = []
  // The workers share one iterator, so that each item is taken once.
  const entries = items.entries()
  const worker = async () => {
    for (const [index, item] of entries) results[index] = await work(item)
  }
  await Promise.all(Array.from({ length: most }, worker))
  return results
}
