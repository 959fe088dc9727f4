/**
 * Checks an address that is given to the client: HTTPS, and nothing in it that is not sent or that is a
 * credential. The messages do not repeat it: it may be a key in the wrong place.
 *
 * @throws TypeError that says what to write.
 */
export function checkedAddress(name: string, value: unknown, allowInsecureLoopback: boolean): URL {
  if (value === undefined) {
    throw new TypeError(`\`${name}\` is undefined: is its environment variable set?`)
  }
  const url = typeof value === 'string' && !/[\s\\]/.test(value) ? parsed(value) : undefined
  if (typeof value !== 'string' || url === undefined) {
    throw new TypeError(
      `\`${name}\` should be an absolute address without white space, such as 'https://example.com/webhooks'; got ${typeof value === 'string' ? 'a string that is not a URL' : kind(value)}.`,
    )
  }
  checkScheme(name, url, allowInsecureLoopback)
  if (/^[^/?#]*\/\/[^/?#]*@/.test(value)) {
    throw new TypeError(
      `\`${name}\` should have no user name or password in it: leave out what is before the "@".`,
    )
  }
  if (value.includes('#')) {
    throw new TypeError(
      `\`${name}\` should have no fragment, which is never sent: leave out the "#" and everything after it.`,
    )
  }
  return url
}

function parsed(value: string): URL | undefined {
  return URL.canParse(value) && value.includes('://') ? new URL(value) : undefined
}

function checkScheme(name: string, url: URL, allowInsecureLoopback: boolean): void {
  if (url.protocol === 'https:') return
  const local = url.protocol === 'http:' && isLoopback(url.hostname)
  if (local && allowInsecureLoopback) return
  throw new TypeError(
    `\`${name}\` should begin with "https://"; it begins with "${url.protocol}//". ` +
      (local
        ? 'For tests on this machine set `allowInsecureLoopback: true`.'
        : 'Plain http is only allowed for this machine (localhost, 127.0.0.1, [::1]), with `allowInsecureLoopback`.'),
  )
}

function isLoopback(host: string): boolean {
  return (
    host === '[::1]' ||
    host === 'localhost' ||
    host.endsWith('.localhost') ||
    /^127\.\d+\.\d+\.\d+$/.test(host)
  )
}

function kind(value: unknown): string {
  if (value instanceof URL) return 'a URL object: use its `.href`'
  return value === null ? 'null' : `a value of type ${typeof value}`
}
