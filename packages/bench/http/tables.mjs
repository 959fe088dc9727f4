import { spread } from '../figures.mjs'
import { ratioOf, tooNoisy } from '../statistics.mjs'
import { BASELINE, CONTROL, LEAST, PLAIN, RECEIVER, verifies } from './subjects.mjs'

const USUAL = [BASELINE, CONTROL, LEAST, RECEIVER, PLAIN]

/** The receiver relative to everything else. A row whose control fails is left out. */
export function tableOf(results) {
  const noisy = results.filter((result) => !isSound(result)).map(nameOf)
  return {
    title: `CPU time of a request to webhook-receiver, relative to what it is compared with`,
    head: ['', BASELINE, PLAIN, 'the hashes are', 'others'],
    rows: results.filter(isSound).map((result) => [
      nameOf(result),
      cell(result, BASELINE),
      cell(result, PLAIN),
      spread(cpuRatio(result, LEAST, BASELINE)),
      Object.keys(result.samples)
        .filter((name) => verifies(name) && !USUAL.includes(name))
        .map((name) => `${name} ${cell(result, name)}`)
        .join(', '),
    ]),
    note: [
      'Below 1 the receiver takes less. Cold: the first 6,000 requests of a process, of 600 B. The hashes: what two of them add to the parser.',
      noisy.length > 0 ? `Too noisy, by the control: ${noisy.join('; ')}.` : '',
    ].join('\n'),
  }
}

/** What another run can be compared with. */
export function figuresOf(results) {
  return Object.fromEntries(
    results
      .filter(isSound)
      .map((result) => [nameOf(result), cpuRatio(result, RECEIVER, PLAIN).median]),
  )
}

function nameOf({ node, framework, phase }) {
  return `${framework}, ${phase}, ${node}`
}

function isSound(result) {
  return !tooNoisy(cpuRatio(result, CONTROL, BASELINE))
}

function cell(result, reference) {
  return spread(cpuRatio(result, RECEIVER, reference))
}

/** The CPU time of one subject relative to another's, block by block. */
function cpuRatio({ samples }, name, reference) {
  const [taken, compared] = [name, reference].map((subject) =>
    samples[subject].map(({ cpu }) => cpu),
  )
  return ratioOf(taken, compared)
}
