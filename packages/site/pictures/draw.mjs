// Shapes of SVG. A picture has its own ground and follows the colour scheme of the page, so it can be read on any.

/** Narrow enough for the text to be read on a phone. */
export const WIDTH = 440

const STYLE = `
  .ground { fill: #ffffff; stroke: #d0d7de }
  text { fill: #1f2328; font: 14px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif }
  .strong { font-weight: 600 }
  .dim { fill: #59636e; font-size: 13px }
  .line { stroke: #59636e; fill: none; stroke-width: 1.5 }
  .dashed { stroke-dasharray: 4 4 }
  .head { fill: #59636e }
  .plain { fill: #f6f8fa; stroke: #d0d7de }
  .accent { fill: #ddf4ff; stroke: #54aeff }
  .good { fill: #dafbe1; stroke: #4ac26b }
  .bad { fill: #ffebe9; stroke: #ff8182 }
  @media (prefers-color-scheme: dark) {
    .ground { fill: #0d1117; stroke: #3d444d }
    text { fill: #f0f6fc }
    .dim { fill: #a7b0ba }
    .line { stroke: #a7b0ba }
    .head { fill: #a7b0ba }
    .plain { fill: #151b23; stroke: #3d444d }
    .accent { fill: #0c2d4d; stroke: #4493f8 }
    .good { fill: #0f2d17; stroke: #3fb950 }
    .bad { fill: #3b1517; stroke: #f85149 }
  }
`

export function picture(title, height, ...shapes) {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
<rect class="ground" x="0.5" y="0.5" width="${WIDTH - 1}" height="${height - 1}" rx="8"/>
${shapes.flat(9).join('\n')}
</svg>
`
}

/** A box with a title and, below it, lines of explanation. */
export function box({ x, y, width, height, kind = 'plain', title, lines = [] }) {
  const middle = y + height / 2
  const first = middle - lines.length * 9 + 5
  return [
    `<rect class="${kind}" x="${x}" y="${y}" width="${width}" height="${height}" rx="6"/>`,
    title && text(x + width / 2, first, title, { style: 'strong', anchor: 'middle' }),
    lines.map((line, index) =>
      text(x + width / 2, first + 18 * (index + 1), line, { style: 'dim', anchor: 'middle' }),
    ),
  ].filter(Boolean)
}

export function text(x, y, content, { style = '', anchor = 'start' } = {}) {
  return `<text class="${style}" x="${x}" y="${y}" text-anchor="${anchor}">${escaped(content)}</text>`
}

/** A straight arrow, along one axis. */
export function arrow(x1, y1, x2, y2, { dashed = false } = {}) {
  const [dx, dy] = [Math.sign(x2 - x1), Math.sign(y2 - y1)]
  const side = (along, across) =>
    `${x2 - along * dx + across * dy} ${y2 - along * dy + across * dx}`
  return [
    `<path class="line${dashed ? ' dashed' : ''}" d="M${x1} ${y1}L${x2 - 6 * dx} ${y2 - 6 * dy}"/>`,
    `<path class="head" d="M${x2} ${y2}L${side(9, 4.5)}L${side(9, -4.5)}Z"/>`,
  ]
}

export function line(x1, y1, x2, y2, { dashed = false } = {}) {
  return `<path class="line${dashed ? ' dashed' : ''}" d="M${x1} ${y1}L${x2} ${y2}"/>`
}

function escaped(content) {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
