import { barChart } from '../charts.mjs'
import { BASELINE, CONTROL, FRAMEWORKS, PLAIN, RECEIVER } from './subjects.mjs'
import { cpuRatio, resultOf, SMALL } from './tables.mjs'

/** The CPU time of a request relative to the JSON parser: on every framework, and everything on Express. */
export function chartsOf(results, caption) {
  const row = (framework, name, label) => {
    const { median, low, high } = cpuRatio(resultOf(results, framework, SMALL), name)
    return { name: label, value: median, low, high, accent: name === RECEIVER }
  }
  const chart = (file, title, rows) => ({
    file,
    svg: barChart({ title, caption, text: (value) => value.toFixed(2), rows }),
  })
  const express = Object.keys(resultOf(results, 'express', SMALL).samples)
  return [
    chart(
      'http.svg',
      'CPU time of a request relative to the framework’s JSON parser, 600 B',
      FRAMEWORKS.flatMap((framework) =>
        [RECEIVER, PLAIN].map((name) => row(framework, name, `${framework}, ${name}`)),
      ),
    ),
    chart(
      'http-express.svg',
      'CPU time of a request relative to Express’s JSON parser, 600 B',
      express
        .filter((name) => name !== BASELINE && name !== CONTROL)
        .map((name) => row('express', name, name)),
    ),
  ]
}
