import { write } from './files.mjs'
import { name } from './kinds.mjs'

/** Where the boxes of the picture of the packages may be, and how far apart its rows are. */
const BOXES = { left: 34, right: 406, row: 38 }

/** Adds a box behind the last one of the panel. Where its row is full, all that is below makes room for another. */
export function addBox(file, lines, at) {
  const isBox = (line) => /rect class="ground"|class="strong"/.test(line)
  const next = lines.findIndex((line, index) => index > at && !isBox(line))
  const [, x, y, width] = /x="(\d+)" y="(\d+)" width="(\d+)"/.exec(lines[next - 2]).map(Number)
  const wide = 8 * name.length + 20
  const hasRoom = x + width + 8 + wide <= BOXES.right
  const [left, top] = hasRoom ? [x + width + 8, y] : [BOXES.left, y + BOXES.row]
  const panel = lines.findLastIndex((line, index) => index < at && line.includes('class="plain"'))
  const moved = (line, index) => {
    if (hasRoom) return line
    if (index >= next) return lower(line)
    const isHigher = index === panel || /^<svg |^<rect class="ground" x="0\.5"/.test(line)
    return isHigher ? higher(line) : line
  }
  const drawn = lines.map(moved)
  drawn.splice(
    next,
    0,
    `<rect class="ground" x="${left}" y="${top}" width="${wide}" height="30" rx="6"/>`,
    `<text class="strong" x="${left + wide / 2}" y="${top + 20}" text-anchor="middle">${name}</text>`,
  )
  write(file, drawn.join('\n'))
  return {}
}

function lower(line) {
  const add = (_, before, y) => before + (Number(y) + BOXES.row)
  return line.replace(/( y=")(\d+)/, add).replace(/([ML][\d.]+ )([\d.]+)/g, add)
}

function higher(line) {
  return line.replace(
    /( height="|viewBox="0 0 \d+ )(\d+)/g,
    (_, before, height) => before + (Number(height) + BOXES.row),
  )
}
