/** What a row of a database may hold in place of what belongs there. */
const HOSTILE: readonly unknown[] = [
  ...[null, true, 0, -1, 1e308, ' ', 'x'.repeat(100_000), [], {}, [[]], [null]],
  ...' / // __proto__ constructor $& \0 { (a+)+$ \u2028 http://169.254.169.254/ node:fs'.split(' '),
  ...[{ __proto__: null }, { toString: 1 }],
  ...[{ header: 'x' }, { pointer: '/a' }, { field: 't' }, { text: '.' }, { header: ['__proto__'] }],
  ...'timestamp url body form hmac-sha1 hmac-sha512 ed25519 ecdsa-p256 rsa-sha256'.split(' '),
  ...['hex', 'base64', 'pem'],
]

/** A copy of a value, in which one thing anywhere is another, or missing, or there besides. */
export function changed(value: object, random: () => number): unknown {
  const copy: unknown = JSON.parse(JSON.stringify(value))
  const holders: Record<string, unknown>[] = []
  const collect = (one: unknown) => {
    if (typeof one !== 'object' || one === null) return
    holders.push(one as Record<string, unknown>)
    for (const inner of Object.values(one)) collect(inner)
  }
  collect(copy)
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item
  const holder = pick(holders)
  const name = random() < 0.1 ? pick(['__proto__x', 'extra', '0', '']) : pick(Object.keys(holder))
  if (random() < 0.2) delete holder[name]
  else holder[name] = structuredClone(pick(HOSTILE))
  return copy
}
