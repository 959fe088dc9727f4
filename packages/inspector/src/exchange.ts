import type { Header } from '@webhook-receiver/emulator/request'

/** A request as it is, or was, on the wire. */
export interface WireRequest {
  readonly method: string
  /** The path with its query. */
  readonly target: string
  readonly httpVersion: string
  readonly headers: readonly Header[]
  readonly body: Uint8Array
}

/** A request that a server of yours has answered. */
export interface ReceivedRequest extends WireRequest {
  /** When it came: milliseconds since the epoch. */
  readonly at: number
  /** The status that it was answered with; `undefined` if it was not answered. */
  readonly status: number | undefined
  /** How long that took, in milliseconds. */
  readonly duration: number
}

/** What came back. */
export interface Answer {
  /** `undefined` if there was no answer. */
  readonly status: number | undefined
  readonly headers: readonly Header[]
  /** The beginning of its body. */
  readonly body: string
  /** Why there was no answer. */
  readonly error: string | undefined
  /** In milliseconds. */
  readonly duration: number
}

export type { Header }
