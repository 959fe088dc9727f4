// Draws the first table of docs/bench.md as docs/images/bench.svg: node packages/bench/chart.mjs
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const docs = (name) => new URL(`../../docs/${name}`, import.meta.url)
const [LEFT, WIDTH, ROW] = [210, 480, 34]

/** A bar for each library, beside that of the library itself. */
export function chart() {
  const page = readFileSync(docs('bench.md'), 'utf8')
  const rows = [...page.matchAll(/^\| `([^`]+)` \| (0\.\d+)/gm)].filter(
    ([, , share]) => share > 0.1,
  )
  const height = 64 + rows.length * ROW
  const bars = rows.map(([, name, share], index) => {
    const y = 52 + index * ROW
    return `<text x="${LEFT - 12}" y="${y + 15}" text-anchor="end">${name}</text>
<rect class="theirs" x="${LEFT}" y="${y}" width="${WIDTH}" height="22" rx="4"/>
<rect class="ours" x="${LEFT}" y="${y}" width="${WIDTH * share}" height="22" rx="4"/>
<text class="value" x="${LEFT + WIDTH * share + 8}" y="${y + 15}">${share}</text>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 ${height}" width="720" height="${height}" role="img">
<title>CPU time to verify a delivery, relative to each library</title>
<style>
  text { fill: #1f2328; font: 14px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif }
  .value { font-weight: 650 }
  .ground { fill: #ffffff }
  .theirs { fill: #e3e7eb }
  .ours { fill: #2f9e72 }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc }
    .ground { fill: #1b1b1f }
    .theirs { fill: #30363d }
    .ours { fill: #3fb984 }
  }
</style>
<rect class="ground" width="720" height="${height}" rx="8"/>
<text class="value" x="${LEFT}" y="32">CPU time, 1 KiB: webhook-receiver (green), the library = 1</text>
${bars.join('\n')}
</svg>
`
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(docs('images/bench.svg'), chart())
