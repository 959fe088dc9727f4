export interface SentDelivery {
  readonly id: string
  readonly event: string
  readonly created_at: string
  readonly data: {
    readonly instance_id: string
    readonly event: string
    readonly data: Readonly<Record<string, unknown>>
    readonly timestamp: string
  }
}

export function createDelivery(
  event: string,
  content?: Readonly<Record<string, unknown>>,
  time?: number,
): SentDelivery

export function signedRequest(
  secret: string,
  delivery: SentDelivery,
): {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}
