/** The application behind a receiver: it counts its runs and checks each delivery. */
export class Application {
  #runs = 0
  #faults: string[] = []

  readonly onDelivery = (delivery: unknown): void => {
    this.#runs += 1
    if (!isObject(delivery)) {
      this.#faults.push('the handler got something that is not an object')
      return
    }
    if (holdsPrototypeKey(delivery)) this.#faults.push('a __proto__ key reached the handler')
    const content = isObject(delivery.data) ? delivery.data.data : undefined
    if (isObject(content) && content.boom === true) throw new Error('the handler fails on purpose')
  }

  /** Returns how often the handler ran since the last call, and what was wrong with the deliveries. */
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
