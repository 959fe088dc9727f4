import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { loadVectors } from '@webhook-receiver/conformance'
import { outcomeProblems, play } from '@webhook-receiver/conformance/internal'

// Those of the package alone, whatever WEBHOOK_VECTORS lists.
export const [vectors] = loadVectors('')

/** By the names of examples, what their servers do with vectors before the receiver is asked; with `always: false` not each time, or not everywhere. */
const { vectors: DEVIATIONS } = JSON.parse(
  await readFile(new URL('deviations.json', import.meta.url), 'utf8'),
)

/** How long a line of an example may take from its process to this one, in milliseconds. */
const PATIENCE = 20_000
const SETTLING = 200

/** Whether an example can respond: with a store in it or without, and with a handler that does not fail. */
function fits({ needs_store: needsStore, expect, steps = [] }, store) {
  const outcomes = [expect, ...steps.map((step) => step.expect)].flat()
  return (store || !needsStore) && !outcomes.includes('5xx')
}

/** Plays the vectors to a running example, which prints a line for each valid delivery. */
export async function playExample(program, { example, store }) {
  const lines = () =>
    program
      .output()
      .stdout.split('\n')
      .filter((line) => line.startsWith('{'))
  const results = []
  let before = 0
  for (const vector of vectors.cases.filter((found) => fits(found, store))) {
    const observed = await play(vector, program.port)
    const problems = outcomeProblems(vector, observed)
    const expected = vector.handler_calls ?? vector.processed
    const accepted = observed.filter(({ outcome }) => /^2/.test(outcome)).length
    // Where the sender has left, nobody knows when the handler ran.
    if (expected === undefined && accepted === 0) await delay(SETTLING)
    const end = performance.now() + PATIENCE
    while (lines().length < before + Math.max(expected ?? 0, accepted) && performance.now() < end) {
      await delay(5)
    }
    const printed = lines().slice(before)
    before += printed.length
    if (expected !== undefined && printed.length !== expected) {
      problems.push(`expected ${expected} lines, observed ${printed.length}`)
    }
    results.push({ id: vector.id, observed, problems })
  }
  await delay(200)
  const late = lines().length - before
  const own = Object.entries(DEVIATIONS).filter(([names]) => names.split(' ').includes(example))
  const known = own.flatMap(([, list]) =>
    list.flatMap((each) => each.ids.split(' ').map((id) => [id, each])),
  )
  const found = judge(results, Object.fromEntries(known))
  if (late > 0) found.problems.push(`${late} lines came too late`)
  return found
}

/** Sets the wrong results against the deviations that are known. */
function judge(results, known) {
  const notes = []
  const problems = []
  let right = 0
  for (const { id, observed, problems: found } of results) {
    const deviation = known[id]
    const outcomes = [...new Set(observed.map(({ outcome }) => outcome))].join(', ')
    if (found.length === 0) {
      right++
      if (deviation && deviation.always !== false) problems.push(`${id} is right now: take it off`)
    } else if (outcomes === deviation?.saw) notes.push(`${id}: ${outcomes}: ${deviation.why}`)
    else problems.push(`${id}: ${found.join('; ')}`)
  }
  const missing = Object.keys(known).filter((id) => !results.some((result) => result.id === id))
  problems.push(...missing.map((id) => `${id} was not sent`))
  return { saw: `${right} of ${results.length} vectors`, problems, notes }
}
