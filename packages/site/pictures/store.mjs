import { arrow, box, line, picture, text, WIDTH } from './draw.mjs'

const SERVICE = 62
const RECEIVER = 220
const STORE = 378
const ROW = 34

/** Each with the messages in their order: from, to, text. */
const CASES = [
  {
    title: 'The first copy',
    steps: [
      [SERVICE, RECEIVER, 'delivery'],
      [RECEIVER, STORE, 'claim'],
      [STORE, RECEIVER, 'claimed'],
      ['note', 'your handler runs', 'accent'],
      [RECEIVER, STORE, 'complete'],
      [RECEIVER, SERVICE, '204'],
    ],
  },
  {
    title: 'A duplicate',
    steps: [
      [SERVICE, RECEIVER, 'delivery'],
      [RECEIVER, STORE, 'claim'],
      [STORE, RECEIVER, 'done'],
      [RECEIVER, SERVICE, '204'],
    ],
  },
  {
    title: 'A crash, and the next copy',
    steps: [
      [SERVICE, RECEIVER, 'delivery'],
      [RECEIVER, STORE, 'claim'],
      [STORE, RECEIVER, 'claimed'],
      ['note', 'the process dies', 'bad'],
      ['note', 'the claim expires', 'plain'],
      [SERVICE, RECEIVER, 'delivery'],
      [RECEIVER, STORE, 'claim'],
      [STORE, RECEIVER, 'claimed'],
      ['note', 'your handler runs', 'accent'],
      [RECEIVER, STORE, 'complete'],
      [RECEIVER, SERVICE, '204'],
    ],
  },
]

/** A delivery with a store: the messages between service, receiver and store. */
export function drawStore() {
  const shapes = []
  let y = 16
  for (const { title, steps } of CASES) {
    shapes.push(text(20, y + 18, title, { style: 'strong' }))
    y += 34
    const bottom = y + 40 + steps.length * ROW + 4
    for (const [x, name] of [
      [SERVICE, 'service'],
      [RECEIVER, 'receiver'],
      [STORE, 'store'],
    ]) {
      shapes.push(line(x, y + 28, x, bottom, { dashed: true }))
      shapes.push(box({ x: x - 46, y, width: 92, height: 28, title: name }))
    }
    y += 40
    for (const step of steps) {
      shapes.push(step[0] === 'note' ? note(step, y) : message(step, y))
      y += ROW
    }
    y = bottom + 22
  }
  return picture('A delivery with a store: first copy, duplicate, crash', y, shapes)
}

function message([from, to, words], y) {
  return [
    text((from + to) / 2, y + 10, words, { style: 'dim', anchor: 'middle' }),
    arrow(from, y + 18, to, y + 18),
  ]
}

function note([, words, kind], y) {
  // The claim is in the store, the rest happens in the receiver.
  const x = kind === 'plain' ? Math.min(STORE, WIDTH - 92) : RECEIVER
  return box({ x: x - 84, y: y - 2, width: 168, height: 28, kind, title: words })
}
