import { cpus } from 'node:os'
import { OUTCOMES } from '@webhook-receiver/model/model.mjs'
import { table } from '@webhook-receiver/tools/table.mjs'
import { vectorOf } from './replay.mjs'

/** Fewer than that reach not every outcome by chance. */
const ENOUGH = 50_000

const BACKENDS = { node: 'node:crypto', web: 'WebCrypto' }

/** Prints what was tried and what came out; sets the exit code where anything disagreed. */
export function report(results, { seed, seconds }) {
  const backends = Object.keys(BACKENDS)
  const of = (backend) => results.filter((result) => result.backend === backend)
  const count = (backend, outcome) =>
    of(backend).reduce((sum, { outcomes = {} }) => sum + (outcomes[outcome] ?? 0), 0)
  const total = (backend) => of(backend).reduce((sum, { done = 0 }) => sum + done, 0)
  const properties = results.find(({ backend }) => backend === 'node').properties
  console.log(
    table(
      ['', ...Object.values(BACKENDS)],
      [
        'Properties, by fast-check',
        ...properties.map(({ property }) => [
          property,
          ...backends.map((backend) =>
            String(
              of(backend)
                .flatMap((found) => found.properties)
                .find((found) => found.property === property)?.runs ?? 0,
            ),
          ),
        ]),
        'Requests received',
        ...OUTCOMES.map((outcome) => [
          outcome,
          ...backends.map((backend) => String(count(backend, outcome))),
        ]),
        ['all', ...backends.map((backend) => String(total(backend)))],
      ],
    ),
  )
  console.log(
    `\nNode ${process.versions.node}, ${cpus()[0]?.model ?? 'unknown CPU'}, seed ${seed}, ${seconds.toFixed(0)} s`,
  )
  const faults = results.flatMap(
    ({ backend, faults }) => faults?.map((fault) => ({ backend, ...fault })) ?? [],
  )
  const broken = results.filter(({ outcomes }) => !outcomes)
  const missing = OUTCOMES.filter(
    (outcome) => total('node') >= ENOUGH && count('node', outcome) === 0,
  )
  for (const fault of faults) print(fault)
  if (broken.length > 0) console.log(`${broken.length} threads ended before they were done.`)
  if (missing.length > 0) console.log(`Never reached: ${missing.join(', ')}.`)
  if (faults.length + broken.length + missing.length > 0) process.exitCode = 1
  else console.log('No false acceptance, no false refusal, no other error.')
}

function print({ backend, fault, property, example, recipe }) {
  console.log(`\nFAULT on ${BACKENDS[backend]}${property ? `, ${property}` : ''}: ${fault}`)
  const request = recipe ?? (example?.before ? example : undefined)
  if (!request) return console.log(JSON.stringify(example))
  console.log(`${vectorOf(request)}\nnpm run fuzz -- --replay '${JSON.stringify(request)}'`)
}
