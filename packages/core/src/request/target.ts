/** The path and query of a URL, raw. Bun has nothing in front of them where the Host of a request is empty, and a query may hold `://`. */
export function withoutOrigin(url: string): string {
  return url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '')
}
