import { arrow, box, picture, text, WIDTH } from './draw.mjs'

const LEFT = { x: 20, width: 244 }
const STEP = 70
const GAP = 22

/** What a delivery passes, and the statuses of those that do not. */
const CHECKS = [
  ['Headers', ['method, signature, timestamp,', 'encoding, length'], '405, 401, 415, 413'],
  ['Secret', ['your function, if you gave one'], '503'],
  ['Body', ['read once, within limit and time'], '400, 408, 413, 500'],
  ['Signature', ['HMAC over timestamp and body'], '401'],
  ['Timestamp', ['not too old, not in the future'], '401'],
  ['Content', ['UTF-8, JSON, the fields'], '400'],
  ['Schema', ['yours, if you gave one'], '500 or 422'],
]

/** One delivery, from the service to the handler. */
export function drawDelivery() {
  const shapes = []
  let y = 20
  const next = (shape) => {
    if (y > 20) shapes.push(arrow(LEFT.x + LEFT.width / 2, y - GAP, LEFT.x + LEFT.width / 2, y - 2))
    shapes.push(shape(y))
    y += STEP + GAP
  }
  const step = (title, lines, kind) => (top) =>
    box({ ...LEFT, y: top, height: STEP, kind, title, lines })
  const side = (top, status) => [
    arrow(LEFT.x + LEFT.width, top + STEP / 2, LEFT.x + LEFT.width + 24, top + STEP / 2),
    text(LEFT.x + LEFT.width + 30, top + STEP / 2 + 5, status, { style: 'dim' }),
  ]

  next(step('The service', ['signs and sends a POST request'], 'accent'))
  for (const [title, lines, status] of CHECKS) {
    next((top) => [step(title, lines, 'plain')(top), side(top, status)])
  }
  next((top) => [
    step('Your handler', ['with a parsed, typed delivery'], 'accent')(top),
    side(top, '500, 503'),
  ])
  next(step('204', ['the service is done'], 'good'))
  shapes.push(text(WIDTH - 20, 38, 'rejected with', { style: 'dim', anchor: 'end' }))
  return picture('One delivery, from the service to your handler', y - GAP + 20, shapes)
}
