// Compares receivers with a model of their own: requests drawn at random and mutated, on both backends.
import { Worker } from 'node:worker_threads'
import { readOptions } from './bodies/options.mjs'
import { printReplay } from './bodies/replay.mjs'
import { report } from './bodies/report.mjs'

/** fast-check takes several times as long to draw a request as it takes to judge it. */
const MOST_DRAWN = 100_000

const options = readOptions()
if (options.replay) await printReplay(options.replay)
else await fuzz()

async function fuzz() {
  const { runs, threads, seed, milliseconds } = options
  const started = performance.now()
  const share = Math.ceil(runs / threads)
  const tenth = Math.max(1, Math.floor(runs / 10))
  const drawn = Math.min(tenth, MOST_DRAWN)
  console.error(`${runs} requests on node:crypto, ${tenth} on WebCrypto, seed ${seed} …`)
  const progress = { done: 0, of: share * threads + tenth }
  const results = await Promise.all([
    ...Array.from({ length: threads }, (_, thread) =>
      work({ backend: 'node', seed, thread, runs: share, propertyRuns: thread ? 0 : drawn }),
    ),
    work({ backend: 'web', seed, thread: 0, runs: tenth, propertyRuns: Math.ceil(drawn / 10) }),
  ])
  report(results, { seed, seconds: (performance.now() - started) / 1000 })

  function work(workerData) {
    return new Promise((resolve, reject) => {
      const worker = new Worker(new URL('./bodies/worker.mjs', import.meta.url), {
        workerData: { ...workerData, milliseconds },
      })
      const result = { backend: workerData.backend, properties: [] }
      let before = 0
      worker.on('message', (message) => {
        if (message.property) result.properties.push(message)
        if (message.outcomes) Object.assign(result, message)
        if (message.done === undefined || message.outcomes) return
        progress.done += message.done - before
        before = message.done
        tell()
      })
      worker.once('error', reject)
      worker.once('exit', () => resolve(result))
    })
  }

  function tell() {
    const tenths = Math.floor((progress.done / progress.of) * 20)
    if (tenths === progress.told) return
    progress.told = tenths
    const seconds = (performance.now() - started) / 1000
    console.error(`${progress.done} of ${progress.of}, ${seconds.toFixed(0)} s`)
  }
}
