import { bytes } from '@webhook-receiver/tools/figures.mjs'
import { barChart } from '../charts.mjs'
import { captionOf, describeMachine } from '../machine.mjs'
import { mainOf } from '../runtimes.mjs'
import { librariesIn, relativeToPlain, relativeToReceiver } from './compare.mjs'

/** One for the sizes and one for the libraries. */
export function chartsOf(results) {
  const { name, series } = mainOf(results.filter(({ backend }) => backend === 'node'))
  const message = series.filter(({ shape }) => shape === 'message')
  const caption = captionOf(describeMachine(), name)
  return [sizesChart(message, caption), librariesChart(message, caption)]
}

function sizesChart(series, caption) {
  const rows = series.map(({ size, samples }) => {
    const { median, low, high } = relativeToPlain(samples, 'all checks')
    return { name: `body of ${bytes(size)}`, value: median, low, high, accent: true }
  })
  const svg = barChart({
    title: 'CPU time of all checks relative to plain node:crypto',
    caption,
    text: (value) => value.toFixed(2),
    rows,
  })
  return { file: 'verification.svg', svg }
}

function librariesChart(series, caption) {
  const { size, samples } = series.find((one) => one.size === 1024) ?? series.at(-1)
  const rows = librariesIn(series)
    .map((name) => ({ name, found: relativeToReceiver(samples, name) }))
    .filter(({ found }) => found)
    .map(({ name, found: { median, low, high } }) => ({ name, value: median, low, high }))
    .sort((left, right) => left.value - right.value)
  const svg = barChart({
    title: `CPU time of alternatives relative to webhook-receiver, ${bytes(size)}`,
    caption: `Logarithmic. ${caption}`,
    log: true,
    text: (value) => `${value.toFixed(value < 10 ? 1 : 0)} ×`,
    rows: [{ name: 'webhook-receiver', value: 1, accent: true }, ...rows],
  })
  return { file: 'libraries.svg', svg }
}
