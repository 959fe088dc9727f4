/** The first buffer of a body whose length is declared, at most, in bytes. */
const FIRST_DECLARED = 65_536

/** The first buffer of any other, in bytes. */
const FIRST = 16_384

/**
 * Collects a body in one buffer that grows to `limit` bytes at most, however many chunks the body comes in.
 *
 * A list of chunks takes some 400 bytes for each, and the sender decides how small they are.
 */
export class BodyBuffer {
  readonly #limit: number
  readonly #declared: number
  readonly #allocate: (size: number) => Uint8Array
  #bytes: Uint8Array = NOTHING
  #length = 0

  /**
   * `declared` is the Content-Length, where there is one: it decides how the buffer grows, and proves nothing.
   * `allocate` gives memory that holds zeros.
   */
  constructor(
    limit: number,
    declared = 0,
    allocate: (size: number) => Uint8Array = (size) => new Uint8Array(size),
  ) {
    this.#limit = limit
    this.#declared = declared > 0 ? Math.min(declared, limit) : 0
    this.#allocate = allocate
  }

  /** How many bytes are kept. */
  get length(): number {
    return this.#length
  }

  /** Keeps what fits of a chunk, and tells whether that was all of it. */
  add(chunk: Uint8Array): boolean {
    const room = this.#limit - this.#length
    if (chunk.length > room) {
      this.#append(chunk.subarray(0, room))
      return false
    }
    if (this.#length > 0 || chunk.length < chunk.buffer.byteLength) this.#append(chunk)
    else {
      // A body in one piece needs no copy, but for a view of something larger, which it would keep alive.
      this.#bytes = chunk
      this.#length = chunk.length
    }
    return true
  }

  /** What is kept. The memory behind it may be larger; there it holds zeros. */
  bytes(): Uint8Array {
    return this.#length === this.#bytes.length ? this.#bytes : this.#bytes.subarray(0, this.#length)
  }

  #append(chunk: Uint8Array): void {
    const length = this.#length + chunk.length
    if (length > this.#bytes.length) {
      const larger = this.#allocate(this.#sizeFor(length))
      larger.set(this.bytes())
      this.#bytes = larger
    }
    this.#bytes.set(chunk, this.#length)
    this.#length = length
  }

  #sizeFor(length: number): number {
    const first = this.#declared ? Math.min(this.#declared, FIRST_DECLARED) : FIRST
    const most = length <= this.#declared ? this.#declared : this.#limit
    return Math.min(Math.max(length, first, 2 * this.#length), most)
  }
}

const NOTHING = new Uint8Array(0)
