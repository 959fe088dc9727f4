import { barChart } from '../charts.mjs'
import { FRAMEWORKS } from './contenders.mjs'
import { cpuRatio, resultOf } from './figures.mjs'

const SIZE = 600

/** The CPU of a request over the floor: every framework, and everything on Express. */
export function chartsOf(results, caption) {
  const row = (framework, name, label, accent = name === 'ours') => {
    const { median, low, high } = cpuRatio(resultOf(results, framework, SIZE), name)
    return { name: label, value: median, low, high, accent }
  }
  const text = (value) => value.toFixed(2)
  const express = Object.keys(resultOf(results, 'express', SIZE).samples)
  return [
    {
      file: 'http.svg',
      shown: true,
      svg: barChart({
        title: 'CPU a request over the framework’s own JSON parser, 600 B',
        caption,
        text,
        rows: FRAMEWORKS.flatMap((framework) => [
          row(framework, 'ours', `${framework}, ours`),
          row(framework, 'hand-written', `${framework}, hand-written`),
        ]),
      }),
    },
    {
      file: 'http-express.svg',
      shown: true,
      svg: barChart({
        title: 'CPU a request over Express’s own JSON parser, 600 B',
        caption,
        text,
        rows: express
          .filter((name) => name !== 'floor' && name !== 'floor again')
          .map((name) => row('express', name, name)),
      }),
    },
  ]
}
