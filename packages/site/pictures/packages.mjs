import { publishedPackages } from '../reference/packages.mjs'
import { arrow, box, picture, text, WIDTH } from './draw.mjs'

const SIDE = 20
const CHIP = { height: 30, gap: 8 }
const INNER = { x: SIDE + 14, width: WIDTH - 2 * SIDE - 28 }

/** The published packages: who uses whom. */
export function drawPackages() {
  const groups = publishedPackages()
  const [server, ...others] = groups.map(({ title, packages }) => ({
    title,
    names: packages.map(({ folder }) => folder),
  }))
  const adapters = server.names.filter((name) => name !== 'core')
  const shapes = []
  let y = 16
  const down = () => {
    shapes.push(arrow(WIDTH / 2, y, WIDTH / 2, y + 22))
    y += 24
  }
  const wide = (height, options) => {
    shapes.push(box({ x: SIDE, y, width: WIDTH - 2 * SIDE, height, ...options }))
    y += height
  }

  wide(48, { title: 'Your application', kind: 'accent' })
  down()
  y = group(shapes, y, server.title, adapters)
  down()
  wide(64, { title: 'core', kind: 'good', lines: ['checks, parses, handles; no dependencies'] })
  for (const { title, names } of others) {
    shapes.push(arrow(WIDTH / 2, y + 24, WIDTH / 2, y + 2))
    y = group(shapes, y + 24, title, names)
  }
  return picture('The packages: an arrow leads to what is used', y + 16, shapes)
}

/** A frame with a title and a chip for each name, in as many rows as are needed. Returns where it ends. */
function group(shapes, top, title, names) {
  const chips = []
  let [x, y] = [INNER.x, top + 36]
  for (const name of names) {
    const width = 20 + name.length * 8
    if (x + width > INNER.x + INNER.width) [x, y] = [INNER.x, y + CHIP.height + CHIP.gap]
    chips.push(box({ x, y, width, height: CHIP.height, title: name, kind: 'ground' }))
    x += width + CHIP.gap
  }
  const bottom = y + CHIP.height + 14
  shapes.push(box({ x: SIDE, y: top, width: WIDTH - 2 * SIDE, height: bottom - top }))
  shapes.push(text(INNER.x, top + 23, title, { style: 'dim' }), chips)
  return bottom
}
