import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/**
 * Starts a program in Python that replies to each line of JSON by another, which `ask` resolves to.
 *
 * @param {URL} file
 */
export function startPython(file) {
  const child = spawn('python3', [fileURLToPath(file)], { stdio: ['pipe', 'pipe', 'inherit'] })
  const replies = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    async ask(question) {
      child.stdin.write(`${JSON.stringify(question)}\n`)
      const { value, done } = await replies.next()
      if (done) throw new Error(`${file} has ended: see above.`)
      return JSON.parse(value)
    },
    end: () => child.stdin.end(),
  }
}
