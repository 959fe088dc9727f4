const WIDTH = 760
const FONT = 'system-ui, -apple-system, "Segoe UI", sans-serif'

/** The colours follow the reader's scheme: the image cannot see the document around it. */
const STYLE = `
  .ground { fill: #ffffff } text { fill: #24292f; font: 12px ${FONT} }
  .title { font-size: 15px; font-weight: 600 } .dim { fill: #656d76; font-size: 11px }
  .plain { fill: #8c959f } .accent { fill: #0072b2 } .whisker { stroke: #24292f }
  @media (prefers-color-scheme: dark) {
    .ground { fill: #0d1117 } text { fill: #e6edf3 } .dim { fill: #8d96a0 }
    .plain { fill: #6e7681 } .accent { fill: #58a6ff } .whisker { stroke: #e6edf3 }
  }`

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
    const spread =
      low === undefined
        ? ''
        : `<line class="whisker" x1="${at(low)}" x2="${at(high)}" y1="${top + 9}" y2="${top + 9}"/>`
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

function text(x, y, words, name = '', anchor = 'start') {
  return `<text x="${x}" y="${y}"${name && ` class="${name}"`} text-anchor="${anchor}">${escaped(words)}</text>`
}

function escaped(words) {
  return String(words).replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

function rounded(number) {
  return Number(number.toFixed(1))
}
