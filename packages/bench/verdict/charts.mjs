import { bytes } from '@webhook-receiver/tools/figures.mjs'
import { barChart, lineChart } from '../charts.mjs'
import { captionOf, describeMachine } from '../machine.mjs'
import { mainOf } from '../runtimes.mjs'
import { againstOurs, againstTextbook, librariesIn } from './figures.mjs'

const LINES = {
  'ours: MAC': 'the MAC alone',
  'ours: verdict': 'the verdict, all checks',
  'ours: receive()': 'receive() / textbook + JSON.parse',
}

/** One for the sizes and one for the libraries, on the Node that most servers run, or the newest that was measured. */
export function chartsOf(results) {
  const onNode = results.filter(({ backend }) => backend === 'node')
  const { name, series } = mainOf(onNode)
  const message = series.filter(({ shape }) => shape === 'message')
  const caption = captionOf(describeMachine(), name)
  return [sizesChart(message, caption), librariesChart(message, caption)]
}

function sizesChart(series, caption) {
  const title = 'CPU time of a verdict, by the textbook’s (createHmac and timingSafeEqual)'
  const lines = Object.entries(LINES).map(([name, label]) => ({
    name: label,
    points: series
      .filter(({ samples }) => samples[name])
      .map(({ size, samples }) => {
        const { median, low, high } = againstTextbook(samples, name)
        return { x: size, y: median, low, high }
      }),
  }))
  const ticks = series.map(({ size }) => size)
  const svg = lineChart({
    title,
    caption,
    x: { label: 'size of the body', log: true, ticks, text: bytes },
    y: { label: 'lower is faster', text: (value) => value.toFixed(1) },
    limit: 1,
    series: lines,
  })
  return { file: 'verdict.svg', svg, shown: true }
}

function librariesChart(series, caption) {
  const { size, samples } = series.find((one) => one.size === 1024) ?? series.at(-1)
  const title = `Libraries: CPU time by ours for the same work, ${bytes(size)}`
  const rows = librariesIn(series)
    .map((name) => ({ name, found: againstOurs(samples, name) }))
    .filter(({ found }) => found)
    .map(({ name, found: { median, low, high } }) => ({ name, value: median, low, high }))
    .sort((left, right) => left.value - right.value)
  const svg = barChart({
    title,
    caption: `Logarithmic. ${caption}`,
    log: true,
    text: (value) => `${value.toFixed(value < 10 ? 1 : 0)} ×`,
    rows: [{ name: 'webhook-receiver', value: 1, accent: true }, ...rows],
  })
  return { file: 'libraries.svg', svg, shown: true }
}
