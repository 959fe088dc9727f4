import { describeKind } from '@webhook-receiver/core/internal'

const LOOPBACK = /^(?:(?:.+\.)?localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/** Checks a URL: HTTPS, and no credentials in it. The TypeError does not quote the value, which may be the API key. */
export function checkedUrl(name: string, value: unknown, allowInsecureLoopback: boolean): URL {
  const fail = (problem: string) => new TypeError(`\`${name}\` ${problem}`)
  if (value === undefined) throw fail('is undefined: is its environment variable set?')
  if (typeof value !== 'string' || !/^[a-z]+:\/\/[^\s\\]+$/i.test(value) || !URL.canParse(value)) {
    throw fail(
      `should be an absolute URL, such as 'https://example.com/webhooks'; got ${describeKind(value)}.`,
    )
  }
  const url = new URL(value)
  const local = url.protocol === 'http:' && LOOPBACK.test(url.hostname)
  if (url.protocol !== 'https:' && !(local && allowInsecureLoopback)) {
    const advice = local
      ? 'For tests on this machine set `allowInsecureLoopback: true`.'
      : 'Plain http is only allowed for this machine (localhost, 127.0.0.1, [::1]), with `allowInsecureLoopback`.'
    throw fail(`should begin with "https://"; it begins with "${url.protocol}//". ${advice}`)
  }
  if (url.username !== '' || url.password !== '' || value.includes('#')) {
    throw fail('should have no user name, no password and no fragment (#).')
  }
  return url
}
