/** Not by `instanceof` alone: what Node throws in a test of Jest is an Error of another realm. Never throws, whatever it is given. */
export function isError(value: unknown): value is Error {
  try {
    return (
      value instanceof Error || / (Error|DOMException)]/.test(Object.prototype.toString.call(value))
    )
  } catch {
    return false
  }
}
