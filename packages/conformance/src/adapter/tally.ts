import type { CaseResult } from './run.ts'

/** Counts over all the cases of an adapter, and the uncaught errors. */
export class Tally {
  #cases = 0
  #wrong = 0
  #expected = 0
  #observed = 0
  readonly #uncaught: unknown[] = []
  readonly #keep = (error: unknown): void => {
    this.#uncaught.push(error)
  }

  watch(): void {
    process.on('uncaughtException', this.#keep)
    process.on('unhandledRejection', this.#keep)
  }

  unwatch(): void {
    process.off('uncaughtException', this.#keep)
    process.off('unhandledRejection', this.#keep)
  }

  get uncaught(): readonly unknown[] {
    return this.#uncaught
  }

  add(result: CaseResult): void {
    this.#cases += 1
    if (result.problems.length > 0) this.#wrong += 1
    if (result.handlerRunsExpected === null) return
    this.#expected += result.handlerRunsExpected
    this.#observed += result.handlerRuns
  }

  line(name: string): string {
    return (
      `conformance: ${name}: ${this.#cases} cases run, ${this.#wrong} wrong, ` +
      `${this.#uncaught.length} uncaught errors, ` +
      `handler calls ${this.#expected} expected, ${this.#observed} observed`
    )
  }
}
