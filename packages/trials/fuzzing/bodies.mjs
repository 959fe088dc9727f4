// Compares receivers with an independent model: random requests and changes of them, on both backends.

import { readCommandLine, text, wholeNumber } from '@webhook-receiver/checks/command-line.mjs'
import { OUTCOMES } from '../model/model.mjs'
import { printReplay, vectorOf } from './bodies/replay.mjs'
import { report } from './report.mjs'
import { runChild } from './run-child.mjs'

const USAGE = `npm run break -- fuzz [options]

Compares receivers with an independent model, by random requests.

  --runs N        requests to receivers on node:crypto; WebCrypto gets a tenth of them (100000).
                  fast-check generates a tenth for each property on node:crypto, at most 100000, and a
                  tenth of that on WebCrypto
  --minutes N     stops after this time (no limit)
  --threads N     processes at the same time, for node:crypto (1)
  --seed N        chooses the requests (1)
  --replay JSON   sends one request instead: the recipe that is printed for a failure

Exits with 1 if a receiver and the model disagree, or if an outcome was never reached.`

/** fast-check takes several times as long to generate a request as a receiver takes to verify it. */
const MOST_GENERATED = 100_000

/** Fewer requests may miss an outcome by chance. */
const ENOUGH = 50_000

const BACKENDS = { node: 'node:crypto', web: 'WebCrypto' }

const { runs, threads, seed, minutes, replay } = readCommandLine(USAGE, {
  runs: wholeNumber(100_000),
  minutes: wholeNumber(undefined),
  threads: wholeNumber(1),
  seed: wholeNumber(1),
  replay: text(),
})
if (replay) await printReplay(replay)
else await fuzz()

async function fuzz() {
  const started = performance.now()
  const secondsSince = () => ((performance.now() - started) / 1000).toFixed(0)
  const share = Math.ceil(runs / threads)
  const tenth = Math.max(1, Math.floor(runs / 10))
  const generated = Math.min(tenth, MOST_GENERATED)
  const total = share * threads + tenth
  const progress = { done: 0, printed: 0 }
  console.error(`${runs} requests on node:crypto, ${tenth} on WebCrypto, seed ${seed} …`)
  const results = await Promise.all([
    ...Array.from({ length: threads }, (_, thread) =>
      fuzzBackend({ backend: 'node', thread, runs: share, propertyRuns: thread ? 0 : generated }),
    ),
    fuzzBackend({
      backend: 'web',
      thread: 0,
      runs: tenth,
      propertyRuns: Math.ceil(generated / 10),
    }),
  ])
  report({
    head: ['', ...Object.values(BACKENDS)],
    rows: rowsOf(results),
    run: `seed ${seed}, ${secondsSince()} s`,
    problems: problemsOf(results),
    success: 'No false acceptance, no false rejection, no other error.',
  })

  async function fuzzBackend(input) {
    const result = { backend: input.backend, properties: {}, outcomes: {}, faults: [], done: 0 }
    const url = new URL('./bodies/process.mjs', import.meta.url)
    await runChild(url, { ...input, seed, minutes }, ({ property, propertyRuns, ...message }) => {
      if (property) result.properties[property] = propertyRuns
      printProgress((message.done ?? result.done) - result.done)
      Object.assign(result, message)
    })
    return result
  }

  function printProgress(more) {
    progress.done += more
    const twentieths = Math.floor((progress.done / total) * 20)
    if (twentieths === progress.printed) return
    progress.printed = twentieths
    console.error(`${progress.done} of ${total}, ${secondsSince()} s`)
  }
}

function rowsOf(results) {
  const row = (name, count) => [
    name,
    ...Object.keys(BACKENDS).map((backend) => String(sum(results, backend, count))),
  ]
  return [
    'Properties, by fast-check',
    ...Object.keys(results[0].properties).map((name) =>
      row(name, ({ properties }) => properties[name]),
    ),
    'Requests received',
    ...OUTCOMES.map((outcome) => row(outcome, ({ outcomes }) => outcomes[outcome])),
    row('all', ({ done }) => done),
  ]
}

function problemsOf(results) {
  const isEnough = sum(results, 'node', ({ done }) => done) >= ENOUGH
  const missing = OUTCOMES.filter(
    (outcome) => isEnough && sum(results, 'node', ({ outcomes }) => outcomes[outcome]) === 0,
  )
  return [
    ...results.flatMap(({ backend, faults }) => faults.map((fault) => textOf(backend, fault))),
    ...(missing.length > 0 ? [`Never reached: ${missing.join(', ')}.`] : []),
  ]
}

function sum(results, backend, count) {
  const found = results.filter((result) => result.backend === backend)
  return found.reduce((total, result) => total + (count(result) ?? 0), 0)
}

function textOf(backend, { fault, property, example, recipe }) {
  const title = `FAULT on ${BACKENDS[backend]}${property ? `, ${property}` : ''}: ${fault}`
  const request = recipe ?? (example?.before ? example : undefined)
  if (!request) return `${title}\n${JSON.stringify(example)}`
  return `${title}\n${vectorOf(request)}\nnpm run break -- fuzz --replay '${JSON.stringify(request)}'`
}
