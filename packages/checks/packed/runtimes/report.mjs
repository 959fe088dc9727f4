import { terminalTable } from '../../table.mjs'

const PARTS = {
  suite: 'core suite',
  receive: 'receive',
  receiveWeb: 'receive on WebCrypto',
  receiveRequest: 'receiveRequest',
  hono: 'Hono',
  schemes: 'schemes',
}

/** Prints what came of each runtime and each example and, below, what differs and what is wrong. */
export function report(results, examples) {
  const parts = Object.keys(PARTS).filter((part) => results.some((result) => result[part]))
  console.log(
    terminalTable(
      ['', 'backend', ...parts.map((part) => PARTS[part])],
      results.map((result) => [
        result.runtime.name,
        result.receive.backend ?? '',
        ...parts.map((part) => (result[part] ? countOf(result[part]) : '')),
      ]),
    ),
  )
  if (examples.length > 0) {
    console.log()
    console.log(
      terminalTable(
        ['example', 'on', 'vectors'],
        examples.map(({ name, on, vectors }) => [name, on, vectors ? countOf(vectors) : '']),
      ),
    )
  }
  console.log()
  for (const { where, what, saw, why } of deviationsOf(results, examples)) {
    console.log(`${where}: ${what}: ${saw}: ${why}`)
  }
  for (const problem of problemsOf(results, examples)) console.error(`\nWRONG  ${problem}`)
}

/** `right of all`; what a runtime does otherwise counts as not right. */
function countOf({ ran, right, problems }) {
  return ran === undefined ? `failed: ${problems.length}` : `${right} of ${ran}`
}

/** What a runtime does otherwise, each once: where, what, what is seen, and why. */
function deviationsOf(results, examples) {
  const found = new Map()
  const add = (where, { what, saw, why }) => {
    const key = JSON.stringify([what, saw, why])
    const before = found.get(key) ?? { where: [], what, saw, why }
    found.set(key, { ...before, where: [...before.where, where] })
  }
  for (const { runtime, suite, ...parts } of results) {
    for (const { file, name, seen, why } of suite?.deviations ?? []) {
      const what = `${file.source.replace(/[\\^]/g, '')}: ${name.source.replace(/[\\^$]/g, '')}`
      add(runtime.name, { what, saw: `${seen} ${seen === 1 ? 'fails' : 'fail'}`, why })
    }
    for (const [part, { deviating = [] }] of Object.entries(parts)) {
      for (const { id, ...rest } of deviating)
        add(`${runtime.name} (${PARTS[part]})`, { what: id, ...rest })
    }
  }
  for (const { name, vectors } of examples) {
    for (const { id, ...rest } of vectors?.deviating ?? [])
      add(`examples/${name}`, { what: id, ...rest })
  }
  return [...found.values()].map((each) => ({ ...each, where: each.where.join(', ') }))
}

export function problemsOf(results, examples) {
  return [
    ...results.flatMap((result) =>
      Object.keys(PARTS).flatMap((part) =>
        (result[part]?.problems ?? []).map(
          (problem) => `${result.runtime.name}, ${PARTS[part]}: ${problem}`,
        ),
      ),
    ),
    ...examples.flatMap(({ name, on, problems }) =>
      problems.map((problem) => `${name} on ${on}: ${problem}`),
    ),
  ]
}
