// A request as a list of small numbers, so that one can be drawn, shrunk, printed and made again.
import { alter } from './alterations.mjs'
import { bodyText, change } from './bodies.mjs'
import { macOf } from './model.mjs'
import { FOREIGN, NOW, SETUPS } from './setups.mjs'
import { misspelt, oddStampOf, stampOf } from './stamps.mjs'

/** Numbers in a recipe lie below this. */
export const RANGE = 65_536

/**
 * @typedef {object} Recipe
 * @property {number} setup which receiver
 * @property {number} secret which of its secrets signs
 * @property {number} event
 * @property {number} content
 * @property {number} form how the time is written
 * @property {number} offset how far the clock is from it
 * @property {number} shape how the bytes lie in memory, and by which way they are handed over
 * @property {number[][]} before what is done before it is signed: kind, a, b
 * @property {number[][]} after what is done to the signed request: kind, a, b
 */

/** The receiver's clock against the signed time: in tolerances, and on top of that in milliseconds. */
const OFFSETS = [
  ...[0, 0, 0, 0, 0, 0, 0, 1, -1, 999, -1000, 20_000, -20_000].map((by) => [0, by]),
  ...[-1, 1].flatMap((side) => [-1001, -1000, -1, 0, 1, 1000, 1001].map((by) => [side, by])),
  ...[-86_400_000, 3_600_000, 3_153_600_000_000].map((by) => [0, by]),
]

/** Makes the request of a recipe. */
export function made(recipe) {
  const setup = SETUPS[recipe.setup % SETUPS.length]
  const time = NOW + (recipe.form % 3 === 0 ? 0 : recipe.content % 1000)
  let timestamp = stampOf(time, recipe.form)
  let body = Buffer.from(bodyText(recipe.event, recipe.content, recipe.event))
  for (const step of recipe.before) {
    const [kind, a, b] = step
    if (kind % 8 === 0) timestamp = a % 2 ? oddStampOf(time, b) : misspelt(timestamp, a >> 1, b)
    else body = change(body, step)
  }
  const [, secret] = setup.secrets[recipe.secret % setup.secrets.length]
  const tolerance = Number.isFinite(setup.tolerance) ? setup.tolerance * 1000 : 0
  const [side, by] = OFFSETS[recipe.offset % OFFSETS.length]
  const sent = {
    method: 'POST',
    headers: [
      ['Content-Type', 'application/json'],
      ['Content-Length', String(body.length)],
      ['X-Webhook-Id', `dlv-${recipe.event}`],
      ['X-Webhook-Timestamp', timestamp],
      ['X-Webhook-Signature', `sha256=${macOf(secret, timestamp, body)}`],
    ],
    body,
    now: time + side * tolerance + by,
  }
  const signing = { time, timestamp, secret, foreign: FOREIGN, sign: macOf }
  for (const step of recipe.after) alter(sent, step, signing)
  return { setup, sent: { ...sent, body: laidOut(sent.body, recipe.shape) } }
}

/** The bytes as a Buffer of their own, as a plain array, or in the middle of others. */
function laidOut(body, shape) {
  if (shape % 3 === 0) return body
  if (shape % 3 === 1) return new Uint8Array(body)
  const around = new Uint8Array(body.length + 64).fill(0x7b)
  around.set(body, 31)
  return around.subarray(31, 31 + body.length)
}

/**
 * A recipe of random numbers: often nothing or one thing is done, seldom much.
 *
 * @param {() => number} next gives whole numbers
 * @returns {Recipe}
 */
export function drawn(next) {
  const number = () => next() % RANGE
  const steps = (count) => Array.from({ length: count }, () => [number(), number(), number()])
  const many = [0, 0, 1, 1, 1, 1, 2, 3][number() % 8]
  const early = number() % (many + 1)
  return {
    setup: number(),
    secret: number(),
    event: number(),
    content: number(),
    form: number(),
    offset: number() % 3 === 0 ? number() : 0,
    shape: number(),
    before: steps(early),
    after: steps(many - early),
  }
}
