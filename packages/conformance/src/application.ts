/** The application behind a receiver: it counts its runs and looks at what it was handed. */
export class Application {
  #runs = 0
  #faults: string[] = []

  readonly onDelivery = (delivery: unknown): void => {
    this.#runs += 1
    if (!isObject(delivery)) {
      this.#faults.push('the handler was given something that is no object')
      return
    }
    if (holdsPrototypeKey(delivery)) this.#faults.push('a __proto__ key reached the handler')
    const content = isObject(delivery.data) ? delivery.data.data : undefined
    if (isObject(content) && content.boom === true) throw new Error('the handler fails on purpose')
  }

  /** How often the handler ran since it was last asked, and what was wrong with what it got. */
  take(): { readonly runs: number; readonly faults: readonly string[] } {
    const taken = { runs: this.#runs, faults: this.#faults }
    this.#runs = 0
    this.#faults = []
    if ('polluted' in {}) taken.faults.push('Object.prototype was polluted')
    return taken
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function holdsPrototypeKey(delivery: object): boolean {
  const waiting: object[] = [delivery]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (
      Object.hasOwn(next, '__proto__') ||
      ('polluted' in next && !Object.hasOwn(next, 'polluted'))
    ) {
      return true
    }
    for (const value of Object.values(next)) if (isObject(value)) waiting.push(value)
  }
  return false
}
