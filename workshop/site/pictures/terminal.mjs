// A terminal, from a transcript that the tests hold: it can show nothing that the commands do not print.
import { picture, xmlText } from './svg.mjs'

const LINE = 20
const CHARACTER = 7.85
const MARGIN = 20

/** What a transcript has in place of what differs from run to run: times, ids, and the spaces that end a column. */
const TIMES = ['21:32:07', '21:32:40', '21:33:12']
const TOOK = [31, 4, 3]

function unmasked(line, at) {
  return line.replace(/^00:00:00 (.*?) {2}(\S.*) N ms(?: {2}ID)?/, (_, verdict, name) => {
    const took = `${TOOK[at]} ms`.padStart(7)
    const id = line.includes('ID') ? `  evt_1Sq${'ZXY'[at]}` : ''
    return `${TIMES[at]} ${verdict}  ${name.padEnd(28)} ${took}${id}`
  })
}

/** The lines of one command of a transcript, without those that say how to start. */
export function terminal(transcript, command, title) {
  const [, rest = ''] = transcript.split('\n$ wait\n')
  const seen = rest
    .split('\n$')[0]
    .split('\n')
    .map((line) => line.replace(/^2> ?/, ''))
    .filter(
      (line) => /^\d\d:|^ {2}\S/.test(line) && !/^ {2}(?:webhook-receiver|➜|Press)/.test(line),
    )
  let requests = -1
  const shown = seen.map((line) => unmasked(line, /^\d/.test(line) ? ++requests : requests))
  const lines = [`$ npx ${command}`, '', ...shown]
  const columns = Math.max(...lines.map((line) => line.length))
  const width = Math.ceil(columns * CHARACTER + 2 * MARGIN)
  const height = lines.length * LINE + 3 * MARGIN
  const dots = [0, 1, 2].map((at) => `<circle class="tip" cx="${24 + at * 18}" cy="20" r="5"/>`)
  const texts = lines.map((line, at) => {
    const y = 2 * MARGIN + 14 + at * LINE
    return `<text x="${MARGIN}" y="${y}" xml:space="preserve">${coloured(line)}</text>`
  })
  const inside = `<g class="terminal"><rect class="window" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="12"/>
${dots.join('')}
${texts.join('\n')}</g>`
  return picture({ width, height, title }, inside)
}

function coloured(line) {
  return xmlText(line)
    .replace(/^\$ (.*)$/, '<tspan class="quiet">$</tspan> <tspan class="strong">$1</tspan>')
    .replace(/^\d\d:\d\d:\d\d/, '<tspan class="quiet">$&</tspan>')
    .replace(/✓ \d+/, '<tspan class="good">$&</tspan>')
    .replace(/✗ [\d-]+/, '<tspan class="bad">$&</tspan>')
    .replace(/Fix:/, '<tspan class="strong">Fix:</tspan>')
}
