import { CODES } from '@webhook-receiver/core/internal'
import { box, picture, text } from './draw.mjs'

const ROW = 34

/** What each status says of the delivery. */
const MEANINGS = {
  204: 'handled, or handled before',
  400: 'not a delivery, or cut short',
  401: 'not signed by the service, or too old',
  405: 'not a POST request',
  408: 'the body comes too slowly',
  413: 'the body is too large',
  415: 'the body is compressed',
  422: 'your schema does not accept it',
  500: 'something is wrong in your server',
  503: 'busy, too slow, or without store or secret',
}

const GROUPS = [
  { title: 'Done: the service does not retry', kind: 'good', first: 2 },
  { title: 'Rejected: many services do not retry', kind: 'bad', first: 4 },
  { title: 'Your server failed: most services retry', kind: 'accent', first: 5 },
]

/** Every status, and what a service does with it. */
export function drawStatuses() {
  const statuses = ['204', ...Object.keys(CODES)]
  const shapes = []
  let y = 16
  for (const { title, kind, first } of GROUPS) {
    shapes.push(text(20, y + 18, title, { style: 'strong' }))
    y += 32
    for (const status of statuses.filter((each) => each.startsWith(String(first)))) {
      if (!MEANINGS[status]) throw new Error(`Say what ${status} means in packages/site/pictures.`)
      shapes.push(box({ x: 20, y, width: 64, height: 26, kind, title: status }))
      shapes.push(text(98, y + 18, MEANINGS[status]))
      y += ROW
    }
    y += 14
  }
  return picture('Each status, and what the service does next', y + 2, shapes)
}
