import { isIPv6 } from 'node:net'

/** The source where the sender's address is not known. */
export const UNKNOWN = 'unknown'

/**
 * What stands for the sender's address: an IPv4 address, or the first 64 bits of an IPv6 address, since whoever has one
 * address there has all that begin so.
 */
export function sourceOf(address: string | undefined): string {
  if (address === undefined) return UNKNOWN
  const plain = address.replace(/%.*/s, '')
  if (!isIPv6(plain)) return address
  const groups = groupsOf(plain)
  const [high = 0, low = 0] = groups.slice(6)
  // An IPv4 address in IPv6 (RFC 4291, section 2.5.5.2).
  return groups.slice(0, 6).join(':') === '0:0:0:0:0:65535'
    ? [high >> 8, high & 255, low >> 8, low & 255].join('.')
    : groups
        .slice(0, 4)
        .map((group) => group.toString(16))
        .join(':')
}

/** The eight groups of an IPv6 address in any of its spellings. */
function groupsOf(address: string): readonly number[] {
  // A URL has the one spelling of RFC 5952.
  const [before = [], after = []] = new URL(`http://[${address}]`).hostname
    .slice(1, -1)
    .split('::')
    .map((part) => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16))))
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after]
}
