/** How `console.log` and `util.inspect` of Node, Deno and Bun ask an object for what to show. */
const INSPECT = Symbol.for('nodejs.util.inspect.custom')

/**
 * A webhook that was created. Its secret comes this once: keep it before anything else.
 *
 * Printing, serialising, spreading or listing the object shows everything but the secret, which is
 * there for who reads `secret` by name.
 */
export class CreatedWebhook {
  readonly #secret: string
  /** The other fields of the answer, without the secret and the API key; at most 64 containers deep. */
  readonly record: Readonly<Record<string, unknown>>

  constructor(secret: string, record: Readonly<Record<string, unknown>>) {
    this.#secret = secret
    this.record = record
  }

  /** What the receiver verifies with. */
  get secret(): string {
    return this.#secret
  }

  static {
    // Not enumerable, and named by a symbol: an inspector that shows hidden members would run the getter.
    Object.defineProperty(CreatedWebhook.prototype, INSPECT, {
      value(this: CreatedWebhook) {
        return { record: this.record, secret: '[hidden: read .secret]' }
      },
    })
  }
}
