/** The method that `console.log` and `util.inspect` of Node, Deno and Bun call to show an object. */
const INSPECT = Symbol.for('nodejs.util.inspect.custom')

/**
 * A webhook that was created. The service sends its secret only once: store it first.
 *
 * Printing, serialising, spreading or listing the object does not show the secret. Only the property `secret`
 * returns it.
 */
export class CreatedWebhook {
  readonly #secret: string
  /** The other fields of the answer, without the secret and the API key; at most 64 containers deep. */
  readonly record: Readonly<Record<string, unknown>>

  constructor(secret: string, record: Readonly<Record<string, unknown>>) {
    this.#secret = secret
    this.record = record
  }

  /** The secret for the receiver. */
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
