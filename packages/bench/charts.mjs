const WIDTH = 760
const FONT = 'system-ui, -apple-system, "Segoe UI", sans-serif'

/** Of lines, in the order of the legend; told apart on light and on dark ground, and by the colour-blind. */
const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#b58900', '#6f7782']

/** Its ground goes with the reader’s: an image in a document knows no more of it. */
const STYLE = `
  .ground { fill: #ffffff } text { fill: #24292f; font: 12px ${FONT} }
  .title { font-size: 15px; font-weight: 600 } .dim { fill: #656d76; font-size: 11px }
  .rule { stroke: #d0d7de } .limit { stroke: #cf222e; stroke-dasharray: 5 4 } .plain { fill: #8c959f } .accent { fill: #0072b2 }
  .whisker { stroke: #24292f } path { fill: none; stroke-width: 2 }
  @media (prefers-color-scheme: dark) {
    .ground { fill: #0d1117 } text { fill: #e6edf3 } .dim { fill: #8d96a0 } .rule { stroke: #30363d }
    .limit { stroke: #ff7b72 } .plain { fill: #6e7681 } .accent { fill: #58a6ff } .whisker { stroke: #e6edf3 }
  }`

/**
 * @typedef {object} Axis
 * @property {string} label
 * @property {boolean} [log]
 * @property {readonly number[]} [ticks]
 * @property {(value: number) => string} [text]
 */

/**
 * Lines over a common axis.
 *
 * @param {{ title: string, caption: string, x: Axis, y: Axis, limit?: number, series: readonly { name: string, points: readonly { x: number, y: number, low?: number, high?: number }[] }[] }} chart
 * @returns {string} SVG
 */
export function lineChart({ title, caption, x, y, limit, series }) {
  const box = {
    left: 64,
    right: WIDTH - 40,
    top: 74 + 18 * Math.floor((series.length - 1) / 3),
    height: 250,
  }
  box.bottom = box.top + box.height
  const points = series.flatMap((line) => line.points)
  const xs = scale(
    x,
    points.map((point) => point.x),
    box.left,
    box.right,
  )
  const highest = points.flatMap((point) => [point.y, point.high ?? point.y])
  const ys = scale(
    { ...y, zero: !y.log },
    limit === undefined ? highest : [...highest, limit],
    box.bottom,
    box.top,
  )
  const grid = ys.ticks.map(
    (tick) =>
      `${rule('rule', box.left, ys.at(tick), box.right, ys.at(tick))}${text(box.left - 8, ys.at(tick) + 4, ys.text(tick), 'dim', 'end')}`,
  )
  const feet = xs.ticks.map((tick) =>
    text(xs.at(tick), box.bottom + 18, xs.text(tick), 'dim', 'middle'),
  )
  const lines = series.map(({ points: line }, index) => {
    const colour = COLOURS[index % COLOURS.length]
    const path = line.map(
      (point, at) => `${at === 0 ? 'M' : 'L'}${xs.at(point.x)} ${ys.at(point.y)}`,
    )
    const dots = line.map(
      (point) => `<circle cx="${xs.at(point.x)}" cy="${ys.at(point.y)}" r="3" fill="${colour}"/>`,
    )
    const spreads = line
      .filter(({ low }) => low !== undefined)
      .map(
        (point) =>
          `<line x1="${xs.at(point.x)}" x2="${xs.at(point.x)}" y1="${ys.at(point.low)}" y2="${ys.at(point.high)}" stroke="${colour}"/>`,
      )
    return `<path d="${path.join('')}" stroke="${colour}"/>${spreads.join('')}${dots.join('')}`
  })
  const legend = series.map(({ name }, index) => {
    const left = box.left + (index % 3) * 225
    const top = 48 + 18 * Math.floor(index / 3)
    return `<rect x="${left}" y="${top - 9}" width="12" height="10" fill="${COLOURS[index % COLOURS.length]}"/>${text(left + 18, top, name)}`
  })
  return svg(title, caption, box.bottom + 66, [
    ...grid,
    ...feet,
    limit === undefined ? '' : rule('limit', box.left, ys.at(limit), box.right, ys.at(limit)),
    ...lines,
    ...legend,
    text(box.right, box.bottom + 36, x.label, 'dim', 'end'),
    text(box.left - 8, box.top - 10, y.label, 'dim'),
  ])
}

/**
 * Bars, one below the other.
 *
 * @param {{ title: string, caption: string, log?: boolean, text: (value: number) => string, rows: readonly { name: string, value: number, low?: number, high?: number, accent?: boolean }[] }} chart
 * @returns {string} SVG
 */
export function barChart({ title, caption, log = false, text: label, rows }) {
  const left = 230
  const right = WIDTH - 90
  const most = Math.max(...rows.map(({ value, high = value }) => Math.max(value, high)))
  const least = log ? Math.min(1, ...rows.map(({ value }) => value)) / 1.5 : 0
  const place = log
    ? (value) => Math.log(value / least) / Math.log(most / least)
    : (value) => value / most
  const at = (value) => rounded(left + Math.max(0, place(value)) * (right - left))
  const bars = rows.map(({ name, value, low, high, accent }, index) => {
    const top = 44 + index * 26
    const bar = `<rect class="${accent ? 'accent' : 'plain'}" x="${left}" y="${top}" width="${rounded(at(value) - left)}" height="18"/>`
    const spread = low === undefined ? '' : rule('whisker', at(low), top + 9, at(high), top + 9)
    const end = Math.max(at(value), high === undefined ? 0 : at(high)) + 8
    return `${text(left - 10, top + 13, name, '', 'end')}${bar}${spread}${text(end, top + 13, label(value))}`
  })
  return svg(title, caption, 44 + rows.length * 26 + 34, bars)
}

function svg(title, caption, height, parts) {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img">
<title>${escaped(title)}</title>
<style>${STYLE}
</style>
<rect class="ground" width="${WIDTH}" height="${height}" rx="6"/>
${text(16, 26, title, 'title')}
${parts.filter(Boolean).join('\n')}
${text(16, height - 12, caption, 'dim')}
</svg>
`
}

/** Where values lie between two ends, and the ticks to show. */
function scale({ log = false, zero = false, ticks, text: label = String }, values, from, to) {
  const shown = ticks ?? (log ? decades(values) : steps(zero ? [0, ...values] : values))
  const least = Math.min(...shown, ...values)
  const most = Math.max(...shown, ...values)
  const on = log ? Math.log : Number
  const at = (value) =>
    rounded(from + ((on(value) - on(least)) / (on(most) - on(least) || 1)) * (to - from))
  return { at, ticks: shown, text: label }
}

function decades(values) {
  const from = Math.floor(Math.log10(Math.min(...values)))
  const to = Math.ceil(Math.log10(Math.max(...values)))
  return Array.from({ length: to - from + 1 }, (_, index) => 10 ** (from + index))
}

/** About five round numbers. */
function steps(values) {
  const least = Math.min(...values)
  const most = Math.max(...values)
  const rough = (most - least) / 5 || 1
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 2.5, 5, 10].map((unit) => unit * power).find((unit) => unit >= rough)
  const first = Math.floor(least / step)
  return Array.from({ length: Math.ceil(most / step) - first + 1 }, (_, index) =>
    round(step * (first + index)),
  )
}

function rule(name, x1, y1, x2, y2) {
  return `<line class="${name}" x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}"/>`
}

function text(x, y, words, name = '', anchor = 'start') {
  return `<text x="${x}" y="${y}"${name && ` class="${name}"`} text-anchor="${anchor}">${escaped(words)}</text>`
}

function escaped(words) {
  return String(words).replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

function rounded(number) {
  return Number(number.toFixed(1))
}

/** 0.30000000000000004 as 0.3. */
function round(number) {
  return Number(number.toPrecision(10))
}
