/** The ends of a mutant, in the order of the table's columns. */
export const FATES = ['killed', 'timeout', 'survived', 'no coverage', 'when loaded', 'text']

/** A test that does so says nothing about any mutant. */
export const FAILED = 'fails without a mutant'

/** A mutant that another test has tried in the same process may be the reason. */
export const BROKEN = 'fails where mutants were tried before'

/** What became of each mutant, from what the runner wrote down. */
export function fates(mutants, entries) {
  const killed = new Map()
  const reached = new Set()
  const tried = new Set()
  for (const entry of entries) {
    if (entry.id) killed.set(entry.id, entry)
    for (const id of entry.reached ?? []) reached.add(id)
    for (const id of entry.tried ?? []) tried.add(id)
  }
  return mutants.map(({ constant, ...mutant }) => {
    const { id, statusReason } = mutant
    if (statusReason) return { ...mutant, fate: 'text' }
    const death = killed.get(id)
    if (death) return { ...mutant, fate: death.how, by: death.by }
    // A constant of a module keeps the value that it had when that was loaded, whatever is switched on later.
    if (constant) return { ...mutant, fate: 'when loaded' }
    // A mutant that every test had no time for has survived, too.
    if (reached.has(id)) return { ...mutant, fate: 'survived', tried: tried.has(id) }
    return { ...mutant, fate: 'no coverage' }
  })
}

/** One line for each test that tried no mutants, or not all that it reaches, with the reason. */
export function leftOut(entries) {
  return [...lastOf(entries).values()].flatMap(({ test, ended, stopped, left }) => {
    if (stopped) return [`${test}: ${stopped}${left ? `; ${left} mutants left` : ''}`]
    return ended ? [] : [`${test}: was skipped, or its hooks failed`]
  })
}

/** The ids of the tests that a mutant which came before them may have broken. */
export function brokenTests(entries) {
  const last = [...lastOf(entries)]
  return last.filter(([, { stopped }]) => stopped?.startsWith(BROKEN)).map(([id]) => id)
}

/** By the id of each test, what became of it the last time. */
function lastOf(entries) {
  const last = new Map()
  for (const { found, test, of, stopped, left, ended } of entries) {
    if (found) last.set(found, { test })
    if (of) Object.assign(last.get(of), { stopped, left })
    if (ended) last.get(ended).ended = true
  }
  return last
}

/** A row of the table. */
export function row(name, judged) {
  const count = (fate) => judged.filter((mutant) => mutant.fate === fate).length
  const numbers = FATES.map((fate) => String(count(fate)))
  return [name, String(judged.length), ...numbers, `${score(judged).toFixed(1)} %`]
}

/**
 * Detected mutants out of those that a test could detect: not those in the text of an error, and
 * not those that are decided when a module is loaded, before any test of it begins.
 */
export function score(judged) {
  const of = (...names) => judged.filter(({ fate }) => names.includes(fate)).length
  const detected = of('killed', 'timeout')
  const valid = detected + of('survived', 'no coverage')
  return valid === 0 ? 100 : (100 * detected) / valid
}

/** One line for each mutant that no test has seen. */
export function survivors(judged) {
  return judged
    .filter(({ fate }) => fate === 'survived' || fate === 'no coverage')
    .map(({ file, line, fate, mutatorName, original, replacement }) => {
      const short = (text) => text.replaceAll(/\s+/g, ' ').slice(0, 90)
      return `${file}:${line} ${fate}, ${mutatorName}: ${short(original)} → ${short(replacement)}`
    })
}
