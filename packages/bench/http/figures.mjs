import { bytes } from '@webhook-receiver/tools/figures.mjs'
import { quartiles, ratioOf, tooNoisy } from '../ratios.mjs'
import { FRAMEWORKS } from './contenders.mjs'

const [SMALL, LARGE] = [600, 64 * 1024]

/** Those that verify with a service's own scheme, and have a goal in common. */
const LIBRARIES = ['line', 'octokit', 'stripe', 'svix']

/** The result of a framework at a size. */
export function resultOf(results, framework, size) {
  return results.find((result) => result.framework === framework && result.size === size)
}

/** The CPU a request of one contender against another's, block by block. */
export function cpuRatio({ samples }, name, reference = 'floor') {
  return measureRatio(samples, name, reference, 'cpu')
}

/** The requests a second of one contender against the floor's. */
export function rateRatio({ samples }, name) {
  return measureRatio(samples, name, 'floor', 'rate')
}

export function latencyOf({ samples }, name, percentile) {
  return quartiles(samples[name].map((sample) => sample[percentile]))
}

/** Whether the floor strays from itself. */
export function isNoisy(result) {
  return tooNoisy(cpuRatio(result, 'floor again'))
}

/** The figures that there is a goal for, as `goals.mjs` names them. */
export function goalsOf(results) {
  const on = (framework, size) => resultOf(results, framework, size)
  const goal = (id, result, reference, where) => {
    const { median, low, high } = cpuRatio(result, 'ours', reference)
    return { id, figure: median, spread: [low, high], where, noisy: isNoisy(result) }
  }
  const express = on('express', SMALL)
  return [
    ...FRAMEWORKS.map((name) => goal(`http-${name}`, on(name, SMALL), 'floor', bytes(SMALL))),
    ...FRAMEWORKS.map((name) => goal('http-64k', on(name, LARGE), 'floor', name)),
    ...FRAMEWORKS.map((name) => goal('http-hand-written', on(name, SMALL), 'hand-written', name)),
    ...LIBRARIES.filter((name) => name in express.samples).map((name) =>
      goal('http-libraries', express, name, `${name}, Express`),
    ),
    goal('http-tern', express, 'tern', 'Express'),
    ...FRAMEWORKS.map((name) => latencyGoal(on(name, SMALL), name)),
  ]
}

/** The p99 of ours by the upper quartile of the floor's: 1 or less lies within what the floor does by itself. */
function latencyGoal(result, where) {
  const ours = latencyOf(result, 'ours', 'p99')
  const floor = latencyOf(result, 'floor', 'p99').high
  return {
    id: 'http-p99',
    figure: ours.median / floor,
    spread: [ours.low / floor, ours.high / floor],
    where,
    noisy: isNoisy(result),
  }
}

function measureRatio(samples, name, reference, measure) {
  const of = (contender) => samples[contender].map((sample) => sample[measure])
  return ratioOf(of(name), of(reference))
}
