export function requestHead(
  headers?: Readonly<Record<string, string>>,
  method?: string,
  path?: string,
): string

export function exchange(
  port: number,
  parts: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>,
): Promise<number | string>
