import { crc32, deflateSync, inflateSync } from 'node:zlib'

/** A picture of a page with the 256 colours that it has most of: a third of the size. Takes a PNG with 8 bits and no alpha. */
export function withPalette(png) {
  const { width, height, data } = read(png)
  const pixels = unfilter(data, width, height).map(coarse)
  const counts = new Map()
  for (let at = 0; at < pixels.length; at += 3) {
    const colour = pixels.readUIntBE(at, 3)
    counts.set(colour, (counts.get(colour) ?? 0) + 1)
  }
  const palette = [...counts].sort(([, one], [, two]) => two - one).slice(0, 256)
  const indexes = new Map(palette.map(([colour], index) => [colour, index]))
  const nearest = (colour) => {
    const known = indexes.get(colour)
    if (known !== undefined) return known
    const distances = palette.map(([other]) => distance(colour, other))
    const index = distances.indexOf(Math.min(...distances))
    indexes.set(colour, index)
    return index
  }
  const rows = Buffer.alloc(height * (width + 1))
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      rows[y * (width + 1) + 1 + x] = nearest(pixels.readUIntBE((y * width + x) * 3, 3))
    }
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 3], 8)
  const colours = Buffer.alloc(palette.length * 3)
  for (const [index, [colour]] of palette.entries()) colours.writeUIntBE(colour, index * 3, 3)
  return Buffer.concat([
    png.subarray(0, 8),
    chunk('IHDR', head),
    chunk('PLTE', colours),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** With fewer shades of each edge, the colours that are rare have a place in the palette too. */
function coarse(value) {
  return Math.min(255, Math.round(value / 6) * 6)
}

function read(png) {
  const parts = []
  let head
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    const type = png.toString('latin1', at + 4, at + 8)
    const data = png.subarray(at + 8, at + 8 + png.readUInt32BE(at))
    if (type === 'IHDR') head = data
    if (type === 'IDAT') parts.push(data)
  }
  if (head[8] !== 8 || head[9] !== 2) throw new Error('The PNG should have 8 bits and no alpha.')
  const [width, height] = [head.readUInt32BE(0), head.readUInt32BE(4)]
  return { width, height, data: inflateSync(Buffer.concat(parts)) }
}

/** The filters of PNG (section 9 of its specification), for 3 bytes a pixel. */
function unfilter(data, width, height) {
  const stride = width * 3
  const pixels = Buffer.alloc(height * stride)
  for (let y = 0; y < height; y++) {
    const filter = data[y * (stride + 1)]
    for (let x = 0; x < stride; x++) {
      const left = x < 3 ? 0 : pixels[y * stride + x - 3]
      const up = y === 0 ? 0 : pixels[(y - 1) * stride + x]
      const corner = x < 3 || y === 0 ? 0 : pixels[(y - 1) * stride + x - 3]
      const predicted = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter]
      pixels[y * stride + x] = data[y * (stride + 1) + 1 + x] + predicted
    }
  }
  return pixels
}

function paeth(left, up, corner) {
  const [a, b, c] = [left, up, corner].map((value) => Math.abs(left + up - corner - value))
  return a <= b && a <= c ? left : b <= c ? up : corner
}

function distance(one, two) {
  return [16, 8, 0].reduce((sum, bits) => {
    const difference = ((one >> bits) & 255) - ((two >> bits) & 255)
    return sum + difference * difference
  }, 0)
}

function chunk(type, data) {
  const whole = Buffer.alloc(12 + data.length)
  whole.writeUInt32BE(data.length, 0)
  whole.write(type, 4, 'latin1')
  whole.set(data, 8)
  whole.writeUInt32BE(crc32(whole.subarray(4, 8 + data.length)), 8 + data.length)
  return whole
}
