import { type Reading, UNCOUNTED } from './reading.ts'

/** The most chunks that are kept as they came. Each takes some 400 bytes, and the sender decides how small they are. */
const MOST_CHUNKS = 64

/**
 * The sizes of the blocks that take what comes behind them, in bytes: a quarter of what is kept already, within these. All of a block
 * counts, so that a larger one would cost others memory that nobody has sent.
 */
const BLOCK = { least: 16_384, most: 1_048_576 }

/** The bytes of a body, which have one owner: whoever takes them. What brought them keeps nothing, and may outlive them for long. */
export interface Body {
  take(): Uint8Array
}

/**
 * Collects a body of at most `limit` bytes. Its first chunks are kept as they came, and more are copied into blocks, so that it never takes
 * much more memory than has arrived, however long it is announced to be. All is joined when it is complete.
 */
export class BodyBuffer implements Body {
  readonly #reading: Pick<Reading, 'limit' | 'hold'>
  readonly #allocate: (size: number) => Uint8Array
  #parts: Uint8Array[] = []
  /** How many bytes of the last part are free. */
  #free = 0
  #length = 0
  /** The memory that the parts take, in bytes. */
  #memory = 0

  /** All memory that `allocate` gives is overwritten before it is handed out. */
  constructor(
    reading: Pick<Reading, 'limit' | 'hold'>,
    allocate: (size: number) => Uint8Array = (size) => new Uint8Array(size),
  ) {
    this.#reading = reading
    this.#allocate = allocate
  }

  /** How many bytes are kept. */
  get length(): number {
    return this.#length
  }

  /** Keeps what fits of a chunk, and tells whether that was all of it. Keeps nothing if the body had to give way. */
  add(chunk: Uint8Array): boolean {
    const room = this.#reading.limit - this.#length
    const fits = chunk.length <= room
    const kept = fits ? chunk : chunk.subarray(0, room)
    if (kept.length > 0) {
      if (this.#parts.length < MOST_CHUNKS) this.#keep(kept)
      else this.#copyToBlocks(kept)
    }
    return fits
  }

  /** What was kept, in memory that holds nothing else. */
  take(): Uint8Array {
    const [whole] = this.#parts
    const isAlone = whole?.length === this.#length && whole.buffer.byteLength === this.#length
    const bytes = isAlone ? whole : this.#joined()
    if (this.#memory > UNCOUNTED) this.#reading.hold(bytes.length)
    this.#parts = []
    this.#free = this.#length = this.#memory = 0
    return bytes
  }

  #keep(chunk: Uint8Array): void {
    const { length } = chunk
    // A view keeps all of its memory alive.
    const isSmallView = 2 * length < chunk.buffer.byteLength
    if (!this.#mayTake(isSmallView ? length : chunk.buffer.byteLength)) return
    this.#parts.push(isSmallView ? this.#copied(chunk) : chunk)
    this.#length += length
  }

  #copyToBlocks(chunk: Uint8Array): void {
    if (chunk.length <= this.#free) {
      this.#fill(chunk)
      return
    }
    const begun = this.#free
    const usual = Math.min(Math.max(this.#length >> 2, BLOCK.least), BLOCK.most)
    const room = this.#reading.limit - this.#length - begun
    const size = Math.max(chunk.length - begun, Math.min(usual, room))
    if (!this.#mayTake(size)) return
    this.#fill(chunk.subarray(0, begun))
    this.#parts.push(this.#allocate(size))
    this.#free = size
    this.#fill(chunk.subarray(begun))
  }

  #fill(bytes: Uint8Array): void {
    const block = this.#parts.at(-1)
    block?.set(bytes, block.length - this.#free)
    this.#free -= bytes.length
    this.#length += bytes.length
  }

  /** Counts `size` bytes more, before they are allocated. */
  #mayTake(size: number): boolean {
    this.#memory += size
    return this.#memory <= UNCOUNTED || this.#reading.hold(this.#memory)
  }

  #joined(): Uint8Array {
    const joined = this.#allocate(this.#length)
    let end = 0
    for (const part of this.#parts) {
      const left = this.#length - end
      // A view of each part would take longer than to copy a small one.
      joined.set(part.length > left ? part.subarray(0, left) : part, end)
      end += part.length
    }
    return joined
  }

  #copied(chunk: Uint8Array): Uint8Array {
    const copy = this.#allocate(chunk.length)
    copy.set(chunk)
    return copy
  }
}
