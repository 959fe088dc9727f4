// Random request targets. Nothing here knows how any parser reads them.
import { stream } from '../../random.mjs'

/** The most parts of a target. */
const MOST_PARTS = 9

/** The most bytes that are changed in a target. */
const MOST_CHANGES = 3

const PUNCTUATION = [...'/\\?#@:;%.&=+,~!$*()[]{}|^`\'"<>-_']

const PIECES = '// .. ./ http:// https:// x: :// a b@ localhost %2f %5c %2e %25 %00'.split(' ')

/**
 * Returns a function that returns the next target for a path, as a string whose characters are bytes. The same seeds
 * give the same targets.
 *
 * @param {string} path what the guard covers, such as /api/webhooks
 * @param {readonly number[]} bytes the bytes that a target may hold
 * @param {...number} seeds
 */
export function targetsFor(path, bytes, ...seeds) {
  const next = stream(...seeds)
  const pick = (list) => list[next() % list.length]
  const byte = () => String.fromCharCode(pick(bytes))
  const allowed = new Set(bytes)
  const names = path.split('/').filter(Boolean)
  const own = [path, ...names, ...names.map((name) => `/${name}`)]

  const respelled = (text) => {
    if (next() % 4 > 0) return text
    const at = next() % text.length
    const letter = text[at]
    const other =
      next() % 2 ? letter.toUpperCase() : `%${letter.charCodeAt(0).toString(16).padStart(2, '0')}`
    return text.slice(0, at) + other + text.slice(at + 1)
  }

  const part = () => {
    switch (next() % 8) {
      case 0:
        return '/'
      case 1:
        return byte()
      case 2:
      case 3:
        return pick(PUNCTUATION)
      case 4:
        return pick(PIECES)
      default:
        return respelled(pick(own))
    }
  }

  /** The path with a few bytes added, removed or replaced. */
  const changed = () => {
    let target = pick(['', '/x', '/x/..', '/', 'http://h']) + path
    for (let change = 1 + (next() % MOST_CHANGES); change > 0; change--) {
      const at = next() % (target.length + 1)
      target = target.slice(0, at) + (next() % 3 ? part() : '') + target.slice(at + (next() % 2))
    }
    return target
  }

  return () => {
    let target = ''
    if (next() % 3 === 0) target = changed()
    else for (let count = 1 + (next() % MOST_PARTS); count > 0; count--) target += part()
    // HTTP/1.1 accepts only these beginnings.
    if (!/^(?:\/|\*|https?:\/\/\w)/i.test(target)) target = `/${target}`
    const kept = [...target].filter((letter) => allowed.has(letter.charCodeAt(0))).join('')
    return kept === '' ? '/' : kept
  }
}
