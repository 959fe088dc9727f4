/**
 * A webhook that was created. The service sends its secret only once: store it first. Printing, serialising or spreading
 * the object does not show the secret.
 */
export class CreatedWebhook {
  readonly #secret: string
  /** The other fields of the response, without the secret and the API key. */
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
    // What `console.log` of Node, Deno and Bun calls. Not enumerable: `util.inspect` with `getters` would run the getter.
    Object.defineProperty(CreatedWebhook.prototype, Symbol.for('nodejs.util.inspect.custom'), {
      value(this: CreatedWebhook) {
        return { record: this.record, secret: '[hidden: read .secret]' }
      },
    })
  }
}
