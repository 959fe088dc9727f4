// Looks for requests that make a diagnosis block the event loop: headers and bodies made to be slow, and random ones.
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { flag, readCommandLine, wholeNumber } from '@webhook-receiver/checks/command-line.mjs'
import { terminalTable } from '@webhook-receiver/checks/table.mjs'
import { bodies, headers, randomBodies } from './stalls/inputs.mjs'

const USAGE = `npm run stalls -- [options]
  --random N     how many bodies of random parts, of up to 1 MiB, besides the ones that are known to be slow (60)
  --seed N       of the random ones (1)
  --repeats N    how often each request is diagnosed; its figure is the smallest, since other processes disturb (3)
  --most N       the longest block that passes, in milliseconds (20)
  --patience N   after how many seconds a diagnosis is given up (60)
  --all          prints every request, not only the ten that block for longest
Exits with 0 where no step of any diagnosis blocks for longer, else with 1.`

const options = readCommandLine(USAGE, {
  random: wholeNumber(60, { least: 0 }),
  seed: wholeNumber(1),
  repeats: wholeNumber(3),
  most: wholeNumber(20),
  patience: wholeNumber(60),
  all: flag(),
})

const inputs = [...headers(), ...bodies(), ...randomBodies(options.random, options.seed)]
const results = []
let worker = start()
for (const { name, ...input } of inputs) {
  results.push({ name, ...(await diagnosed(input)) })
  if (results.length % 25 === 0) console.error(`${results.length} of ${inputs.length} …`)
}
await worker.terminate()
report()

function start() {
  return new Worker(new URL('./stalls/worker.mjs', import.meta.url))
}

/** The longest block of a diagnosis, in milliseconds, and how long it took as a whole. */
async function diagnosed(input) {
  const { repeats, patience } = options
  const given = new AbortController()
  const { signal } = given
  worker.postMessage({ ...input, repeats })
  const result = await Promise.race([
    once(worker, 'message', { signal }).then(([measured]) => measured),
    setTimeout(patience * 1000 * repeats, undefined, { signal }),
  ])
  given.abort()
  if (result) return result
  await worker.terminate()
  worker = start()
  return { block: patience * 1000, whole: patience * 1000, code: 'given up' }
}

function report() {
  const { all, most, seed } = options
  const sorted = results.toSorted((a, b) => b.block - a.block)
  const rows = (all ? sorted : sorted.slice(0, 10)).map(({ name, block, whole, code }) => [
    name,
    `${block.toFixed(1)} ms`,
    `${Math.round(whole)} ms`,
    code,
  ])
  console.log(terminalTable(['request', 'longest block', 'whole diagnosis', 'finding'], rows))
  const over = sorted.filter(({ block }) => block > most)
  console.log(`\nNode ${process.versions.node}, ${results.length} requests, seed ${seed}`)
  if (over.length > 0) {
    process.exitCode = 1
    console.log(`${over.length} of them block for more than ${most} ms.`)
  } else console.log(`None of them blocks for more than ${most} ms.`)
}
