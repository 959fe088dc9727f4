/** What the headers of an acceptable request say: each scheme has its own properties besides. */
export interface SignedHead {
  /** The timestamp as sent; `undefined` if the scheme has none. */
  readonly timestamp: string | undefined
}

/** A part of a delivery that its signature may leave out. `'path'` and `'query'`: of the URL, where the service signs that. */
export type SignedPart = 'id' | 'event' | 'timestamp' | 'body' | 'path' | 'query'
