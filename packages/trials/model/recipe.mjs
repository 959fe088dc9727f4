// A request as a list of small numbers, which can be random, shrunk, printed and built again.
import { alter } from './alterations.mjs'
import { bodyText, change } from './bodies.mjs'
import { macOf } from './model.mjs'
import { FOREIGN, NOW, RECEIVERS } from './receivers.mjs'
import { invalidTimestampText, misspelled, timestampText } from './timestamp-texts.mjs'

/** The numbers of a recipe are below this. */
export const RANGE = 65_536

/**
 * @typedef {object} Recipe
 * @property {number} receiver which receiver
 * @property {number} secret which of its secrets signs
 * @property {number} event
 * @property {number} content
 * @property {number} form how the timestamp is written
 * @property {number} offset how far the clock is from it
 * @property {number} shape how the bytes are stored in memory and passed to the receiver
 * @property {number[][]} before changes before it is signed: kind, a, b
 * @property {number[][]} after changes of the signed request: kind, a, b
 */

/** The difference between the receiver's clock and the signed time: in tolerances, plus milliseconds. */
const OFFSETS = [
  ...[0, 0, 0, 0, 0, 0, 0, 1, -1, 999, -1000, 20_000, -20_000].map((by) => [0, by]),
  ...[-1, 1].flatMap((side) => [-1001, -1000, -1, 0, 1, 1000, 1001].map((by) => [side, by])),
  ...[-86_400_000, 3_600_000, 3_153_600_000_000].map((by) => [0, by]),
]

/** Builds the request of a recipe, and returns it with the settings of its receiver. */
export function buildRequest(recipe) {
  const settings = RECEIVERS[recipe.receiver % RECEIVERS.length]
  const time = NOW + (recipe.form % 3 === 0 ? 0 : recipe.content % 1000)
  let timestamp = timestampText(time, recipe.form)
  let body = Buffer.from(bodyText(recipe.event, recipe.content, recipe.event))
  for (const step of recipe.before) {
    const [kind, a, b] = step
    if (kind % 8 > 0) body = change(body, step)
    else timestamp = a % 2 ? invalidTimestampText(time, b) : misspelled(timestamp, a >> 1, b)
  }
  const [, secret] = settings.secrets[recipe.secret % settings.secrets.length]
  const tolerance = Number.isFinite(settings.tolerance) ? settings.tolerance * 1000 : 0
  const [side, by] = OFFSETS[recipe.offset % OFFSETS.length]
  const request = {
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
  for (const step of recipe.after) alter(request, step, signing)
  return { settings, request: { ...request, body: inMemory(request.body, recipe.shape) } }
}

/** The bytes as a Buffer, as a plain array, or as a view into a larger one. */
function inMemory(body, shape) {
  if (shape % 3 === 0) return body
  if (shape % 3 === 1) return new Uint8Array(body)
  const around = new Uint8Array(body.length + 64).fill(0x7b)
  around.set(body, 31)
  return around.subarray(31, 31 + body.length)
}

/**
 * A recipe of random numbers, most often with no change or one.
 *
 * @param {() => number} next gives whole numbers
 * @returns {Recipe}
 */
export function randomRecipe(next) {
  const number = () => next() % RANGE
  const steps = (count) => Array.from({ length: count }, () => [number(), number(), number()])
  const changes = [0, 0, 1, 1, 1, 1, 2, 3][number() % 8]
  const early = number() % (changes + 1)
  return {
    receiver: number(),
    secret: number(),
    event: number(),
    content: number(),
    form: number(),
    offset: number() % 3 === 0 ? number() : 0,
    shape: number(),
    before: steps(early),
    after: steps(changes - early),
  }
}
