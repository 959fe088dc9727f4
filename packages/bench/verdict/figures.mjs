import { bytes } from '@webhook-receiver/tools/figures.mjs'
import { ratioOf, tooNoisy } from '../ratios.mjs'
import { LIBRARIES } from './libraries.mjs'
import { oursOn } from './ours.mjs'

/** What a call of each contender comes to. */
const WORK = new Map([...oursOn('node'), ...LIBRARIES].map(({ name, work }) => [name, work]))

/** Which of the textbook’s two, and which of ours, is compared with such a work. */
const REFERENCE = {
  mac: 'textbook',
  verdict: 'textbook',
  parsed: 'textbook + JSON.parse',
  request: 'textbook + JSON.parse',
}
const OURS = {
  verdict: 'ours: verdict',
  parsed: 'ours: receive()',
  request: 'ours: receiveRequest()',
}

/** How a contender’s time stands to the textbook’s. */
export function againstTextbook(samples, name) {
  return ratioOf(samples[name], samples[REFERENCE[WORK.get(name)]])
}

/** How many times as long as ours a library takes for the same work; undefined where one of the two was not measured. */
export function againstOurs(samples, library) {
  const ours = samples[OURS[WORK.get(library)]]
  return samples[library] && ours && ratioOf(samples[library], ours)
}

/** The control of a contender: its reference against itself. */
export function controlOf(samples, name) {
  const reference = REFERENCE[WORK.get(name)]
  return ratioOf(samples[`${reference} again`], samples[reference])
}

/** Those that were measured: not all of them load on every Node. */
export function librariesIn(series) {
  return LIBRARIES.map(({ name }) => name).filter((name) =>
    series.some(({ samples }) => samples[name]),
  )
}

/** The goals on each Node, each with its worst size. Only the backend that Node gets has goals. */
export function goalsOf(results) {
  return results
    .filter(({ backend }) => backend === 'node')
    .flatMap(({ name, series }) => {
      const message = series.filter(({ shape }) => shape === 'message')
      const small = message.filter(({ size }) => size <= 1024)
      return [
        worst('mac', name, small, 'ours: MAC'),
        worst('verdict-small', name, small, 'ours: verdict'),
        worst('verdict', name, message, 'ours: verdict'),
        worst('receive', name, message, 'ours: receive()'),
        ...libraryGoals(name, small),
      ]
    })
}

function worst(id, runtime, series, name) {
  const figures = series
    .filter(({ samples }) => samples[name])
    .map(({ size, samples }) => ({
      size,
      ...againstTextbook(samples, name),
      noisy: tooNoisy(controlOf(samples, name)),
    }))
  const { size, median, low, high, noisy } = figures.reduce((most, figure) =>
    figure.median > most.median ? figure : most,
  )
  return { id, figure: median, spread: [low, high], where: `${runtime}, ${bytes(size)}`, noisy }
}

/** The nearest library is the one that comes closest to ours at any of the sizes; all the others have a goal of their own. */
function libraryGoals(runtime, series) {
  const nearest = librariesIn(series)
    .map((library) => ({ library, ...leastOf(series, library) }))
    .sort((left, right) => left.median - right.median)
  const goal = (id, { library, size, median, low, high, noisy }) => ({
    id,
    figure: median,
    spread: [low, high],
    where: `${runtime}, ${library}, ${bytes(size)}`,
    noisy,
  })
  return [goal('nearest-library', nearest[0]), goal('other-libraries', nearest[1])]
}

function leastOf(series, library) {
  return series
    .map(({ size, samples }) => {
      const found = againstOurs(samples, library)
      return found && { size, ...found, noisy: tooNoisy(controlOf(samples, library)) }
    })
    .filter(Boolean)
    .reduce((least, figure) => (figure.median < least.median ? figure : least))
}
