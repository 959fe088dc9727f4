/**
 * Writes a line and an error to standard error, and never throws: printing an error runs its getters, its
 * `toString` and its `Symbol.for('nodejs.util.inspect.custom')`, and any of them may throw.
 */
export function printError(line: string, error: unknown): void {
  try {
    console.error(line, error)
  } catch {
    try {
      console.error(`${line} The error itself cannot be shown, because showing it throws.`)
    } catch {
      // There is nowhere left to say it.
    }
  }
}
