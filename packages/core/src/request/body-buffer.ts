/** The most chunks that are kept as they came. Each takes some 400 bytes, and the sender decides how small they are. */
const MOST_CHUNKS = 64

/** How much larger than what it has to hold a buffer is made that grows. */
const GROWTH = 4

/** The bytes of a body, which have one owner: whoever takes them. What brought them keeps nothing, and may outlive them for long. */
export interface Body {
  take(): Uint8Array
}

/**
 * Collects a body of at most `limit` bytes. Its chunks are joined when it is complete; many are joined before, in a buffer
 * that grows to the `announced` length or to the limit.
 */
export class BodyBuffer implements Body {
  readonly #limit: number
  readonly #allocate: (size: number) => Uint8Array
  readonly #announced: number
  #chunks: Uint8Array[] = []
  #grown: Uint8Array | undefined
  #length = 0

  /** All memory that `allocate` gives is overwritten before it is handed out. */
  constructor(
    limit: number,
    allocate: (size: number) => Uint8Array = (size) => new Uint8Array(size),
    announced = 0,
  ) {
    this.#limit = limit
    this.#allocate = allocate
    this.#announced = Math.min(announced, limit)
  }

  /** How many bytes are kept. */
  get length(): number {
    return this.#length
  }

  /** Keeps what fits of a chunk, and tells whether that was all of it. */
  add(chunk: Uint8Array): boolean {
    const room = this.#limit - this.#length
    const fits = chunk.length <= room
    this.#append(fits ? chunk : chunk.subarray(0, room))
    return fits
  }

  /** What was kept, in memory that holds nothing else. */
  take(): Uint8Array {
    const whole = this.#grown ?? this.#chunks[0]
    const bytes =
      whole?.length === this.#length && whole.buffer.byteLength === this.#length
        ? whole
        : this.#joined(this.#length)
    this.#chunks = []
    this.#grown = undefined
    this.#length = 0
    return bytes
  }

  #append(chunk: Uint8Array): void {
    if (chunk.length === 0) return
    const start = this.#length
    this.#length += chunk.length
    if (!this.#grown && this.#chunks.length < MOST_CHUNKS) {
      // A view keeps all of its memory alive.
      const isSmallView = 2 * chunk.length < chunk.buffer.byteLength
      this.#chunks.push(isSmallView ? this.#copied(chunk) : chunk)
      return
    }
    if (!this.#grown || this.#grown.length < this.#length) {
      const most = this.#length <= this.#announced ? this.#announced : this.#limit
      this.#grown = this.#joined(Math.min(GROWTH * this.#length, most))
      this.#chunks = []
    }
    this.#grown.set(chunk, start)
  }

  /** What is kept, at the beginning of `size` bytes. */
  #joined(size: number): Uint8Array {
    const joined = this.#allocate(size)
    if (this.#grown) joined.set(this.#grown.subarray(0, size))
    let end = 0
    for (const chunk of this.#chunks) {
      joined.set(chunk, end)
      end += chunk.length
    }
    return joined
  }

  #copied(chunk: Uint8Array): Uint8Array {
    const copy = this.#allocate(chunk.length)
    copy.set(chunk)
    return copy
  }
}
