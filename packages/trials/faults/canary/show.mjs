import { inspect } from 'node:util'

/** Prints a value in every way that an application may log it. */
export function show(value) {
  for (const write of WAYS) console.log(write(value))
}

const whole = {
  depth: Number.POSITIVE_INFINITY,
  showHidden: true,
  maxStringLength: Number.POSITIVE_INFINITY,
  maxArrayLength: Number.POSITIVE_INFINITY,
  breakLength: Number.POSITIVE_INFINITY,
}

const WAYS = [
  (value) => JSON.stringify(value),
  (value) => JSON.stringify(value, Reflect.ownKeys(Object(value)).filter(isString)),
  (value) => inspect(value, whole),
  (value) => String(value),
  (value) => (value instanceof Error ? value.stack : ''),
  (value) => inspect(structuredClone(value), whole),
  (value) => inspect(Object.getOwnPropertyDescriptors(Object(value)), whole),
]

function isString(value) {
  return typeof value === 'string'
}
