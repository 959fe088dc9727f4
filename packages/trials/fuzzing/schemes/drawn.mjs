/** A random scheme as its value: only HMAC, with every place, part and spelling that there is. */
export function drawValue(random, number) {
  const one = (items) => items[Math.floor(random() * items.length)]
  const maybe = (value) => (random() < 0.5 ? value : undefined)
  const form = random() < 0.2
  const field = maybe('v1')
  const separator = field ? one([',', ';']) : maybe(' ')
  const at = one([{ header: 'x-time' }, ...(field ? [{ field: 't' }] : [])])
  const timestamp = maybe({ at, unit: one(['s', 'ms']) })
  const url = random() < 0.3
  const parts = [
    ...(url ? ['url'] : []),
    ...(maybe(1) ? [{ text: one(['v0:', '.', '&&']) }] : []),
    ...(maybe(1) ? [{ header: 'x-id' }] : []),
    ...(maybe(1) ? [{ text: one(['.', ':', '.-']) }] : []),
    ...(timestamp ? ['timestamp'] : []),
    ...(maybe(1) ? [{ text: one(['.', ':', '|']) }] : []),
  ]
  const content = form ? 'form' : 'body'
  const behind = random() < 0.2
  return {
    name: `drawn-${number}`,
    checked: '2026-11-23',
    signature: {
      header: 'x-signature',
      encoding: one(['hex', 'base64', 'base64url']),
      ...(separator && { separator }),
      ...(field && { field }),
    },
    keys: [
      {
        algorithm: one(['hmac-sha1', 'hmac-sha256', 'hmac-sha512']),
        secret: one(['text', 'base64']),
        // A prefix with the separator would be cut off.
        ...(maybe(1) && { prefix: one(['sha=', 'v1-']) }),
      },
    ],
    signed: behind ? [content, ...parts] : [...parts, content],
    ...(timestamp && { timestamp }),
    id: [one([{ header: 'x-id' }, { pointer: '/id' }])],
    body: form ? 'form' : 'json',
  }
}

/** A random request for a scheme: what is signed, before it is. */
export function drawRequest(random, value) {
  const one = (items) => items[Math.floor(random() * items.length)]
  const time = 1_795_392_000_000 + Math.floor(random() * 1e9)
  const word = () => one(['a', 'b7', 'x.y', 'A:B', '1795392000', 'id|2', '&&', 'né'])
  const note = one(['$&', 'x', '1795392000.', '\u0000', '👩‍🚀', 'é', '"', ' '.repeat(3), ':.|'])
  const body =
    value.body === 'form'
      ? new URLSearchParams([
          ['id', word()],
          [word(), note],
          ['z', word()],
        ]).toString()
      : JSON.stringify({ id: word(), note })
  const secret = value.keys[0].secret === 'text' ? 'Drawn secret' : 'RHJhd24gc2VjcmV0'
  return {
    secret,
    body: Buffer.from(body),
    id: one(['a', 'msg_1', 'b-c', '1795392000', 'x.y', 'p:q|r']),
    time: `${value.timestamp?.unit === 'ms' ? time : Math.floor(time / 1000)}`,
    url: `https://example.com/${one(['', 'hooks', 'hooks?x=1', 'hooks?x=id'])}`,
  }
}
