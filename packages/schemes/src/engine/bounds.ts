/**
 * A value may come from anybody, and what it lists costs each request, before it is known who has sent that. No service that we know
 * lists more than 5 of anything, or has more than 1,100 characters.
 */
export const MOST_ENTRIES = 32
const MOST_CHARACTERS = 16_384

/** Nothing of a value is nested deeper; what refers to itself has no end. */
const DEEPEST = 8

/**
 * A copy of a value that nobody can change later.
 *
 * @throws TypeError that names what is too large.
 */
export function boundedCopy(value: unknown): unknown {
  return copy(value, 'the scheme', 0, { characters: 0 })
}

function copy(value: unknown, place: string, depth: number, seen: { characters: number }): unknown {
  if (typeof value === 'string') count(value, seen)
  if (typeof value !== 'object' || value === null) return value
  if (depth > DEEPEST) throw new TypeError(`\`${place}\` should not be nested that deep.`)
  if (Array.isArray(value)) {
    checkLength(value, place)
    // Methods of arrays skip an empty place, so no rule would see it.
    const empty = value.findIndex((_, at) => !Object.hasOwn(value, at))
    if (empty >= 0) throw new TypeError(`\`${place}[${empty}]\` should not be an empty place.`)
    return Object.freeze(value.map((item) => copy(item, place, depth + 1, seen)))
  }
  const names = Object.keys(value)
  // The properties of the whole are those that there are.
  if (depth > 0) checkLength(names, place)
  const entries = names.map((name) => {
    count(name, seen)
    const inside = depth > 0 ? `${place}.${name}` : name
    return [name, copy(Reflect.get(value, name), inside, depth + 1, seen)]
  })
  return Object.freeze(Object.fromEntries(entries))
}

function checkLength({ length }: readonly unknown[], place: string): void {
  if (length <= MOST_ENTRIES) return
  throw new TypeError(`\`${place}\` should have at most ${MOST_ENTRIES} entries; it has ${length}.`)
}

function count({ length }: string, seen: { characters: number }): void {
  seen.characters += length
  if (seen.characters <= MOST_CHARACTERS) return
  throw new TypeError(
    `\`the scheme\` should have at most ${MOST_CHARACTERS} characters in all of its names and texts.`,
  )
}
