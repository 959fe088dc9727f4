// A diagram from a text, so that whoever changes what it says changes words, and no drawing.
import { picture, xmlText } from './svg.mjs'

const BOX = { width: 136, height: 68 }
const GAP = { x: 46, y: 50 }
const MARGIN = 16

/** Characters of a note that fit on a line of a box. */
const LINE = 18

export function diagram(text, title) {
  const boxes = new Map()
  const arrows = []
  for (const line of text.split('\n').filter((each) => each && !each.startsWith('#'))) {
    const [, from, to, says = ''] = /^(\w+) -> (\w+)(?: : (.*))?$/.exec(line) ?? []
    if (from) arrows.push({ from, to, says })
    else {
      const [, name, column, row, words] = /^(\w+) +(\d+) (\d+) +(.*)$/.exec(line)
      const [head, note = ''] = words.split(' | ')
      boxes.set(name, { column: Number(column), row: Number(row), head, note })
    }
  }
  // A question needs more room than what follows from it.
  const isWide = [...boxes.values()].some(({ head }) => head === '?')
  const places = placesOf(boxes, isWide)
  const all = [...places.values()]
  const width = Math.max(...all.map(({ x, width: own }) => x + own)) + MARGIN
  const height = Math.max(...all.map(({ y }) => y + BOX.height)) + MARGIN
  const drawn = [
    ...arrows.map((arrow) => drawArrow(arrow, places)),
    ...[...boxes].map(([name, box]) => drawBox(box, places.get(name), isWide)),
  ]
  return picture({ width, height, title }, drawn.join('\n'))
}

function placesOf(boxes, isWide) {
  const widthOf = (column) => (isWide ? (column === 0 ? 300 : 200) : BOX.width)
  return new Map(
    [...boxes].map(([name, { column, row }]) => {
      const before = Array.from({ length: column }, (_, at) => widthOf(at) + GAP.x)
      const x = MARGIN + before.reduce((sum, each) => sum + each, 0)
      return [name, { x, y: MARGIN + row * (BOX.height + GAP.y), width: widthOf(column) }]
    }),
  )
}

function drawBox({ head, note }, { x, y, width }, isWide) {
  const isQuestion = head === '?'
  const lines = [
    ...(isQuestion ? [] : [head]),
    ...wrapped(note, isQuestion ? 38 : isWide ? 27 : LINE),
  ]
  const first = y + BOX.height / 2 - (lines.length - 1) * 9 + 5
  const texts = lines.map((line, at) => {
    const style = isQuestion ? 'question' : at === 0 ? 'head' : 'note'
    return `<text class="${style}" x="${x + width / 2}" y="${first + at * 18}">${xmlText(line)}</text>`
  })
  const kind = isQuestion ? 'ask' : 'box'
  return `<rect class="${kind}" x="${x}" y="${y}" width="${width}" height="${BOX.height}" rx="10"/>${texts.join('')}`
}

function drawArrow({ from, to, says }, places) {
  const [one, other] = [places.get(from), places.get(to)]
  const middle = ({ x, width }) => x + width / 2
  if (one.x === other.x && other.y < one.y) {
    // Beside the boxes of its column, and back up.
    const side = one.x + one.width
    const [begin, end] = [one.y + BOX.height / 4, other.y + BOX.height * 0.75]
    const path = `M${side} ${begin}H${side + GAP.x / 2}V${end}H${side + 4}`
    return arrowOf(path, side + GAP.x / 2 + 8, (begin + end) / 2 + 4, says, 'start')
  }
  if (one.y === other.y) {
    const [begin, end, y] = [one.x + one.width, other.x - 4, one.y + BOX.height / 2]
    return arrowOf(`M${begin} ${y}H${end}`, (begin + end) / 2, y - 8, says)
  }
  if (one.x === other.x) {
    const [begin, end] = [one.y + BOX.height, other.y - 4]
    return arrowOf(
      `M${middle(one)} ${begin}V${end}`,
      middle(one) + 10,
      (begin + end) / 2 + 4,
      says,
      'start',
    )
  }
  // To the right, and down.
  const turn = one.x + one.width + GAP.x / 2
  const [y, end] = [one.y + BOX.height * 0.75, other.y + BOX.height / 2]
  return arrowOf(
    `M${one.x + one.width} ${y}H${turn}V${end}H${other.x - 4}`,
    turn + 8,
    one.y + BOX.height + GAP.y / 2,
    says,
    'start',
  )
}

function arrowOf(path, x, y, says, anchor = 'middle') {
  const label = says && `<text class="label ${anchor}" x="${x}" y="${y}">${xmlText(says)}</text>`
  return `<path class="arrow" marker-end="url(#head)" d="${path}"/>${label}`
}

function wrapped(text, width) {
  if (text === '') return []
  return text
    .replace(new RegExp(`(.{1,${width}})(?: |$)`, 'g'), '$1\n')
    .trim()
    .split('\n')
}
