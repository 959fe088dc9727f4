/**
 * Whether bytes are one or more requests of strict HTTP/1.1, each with its whole body: then the server must respond,
 * and not wait for more.
 */
export function isComplete(bytes) {
  let rest = bytes
  do {
    const end = rest.indexOf('\r\n\r\n')
    if (end === -1) return false
    const [line, ...fields] = rest.latin1Slice(0, end).split('\r\n')
    if (!/^[A-Z]+ [!-~]+ HTTP\/1\.1$/.test(line)) return false
    if (!fields.every((field) => /^[!#$%&'*+.^_`|~0-9A-Za-z-]+:[\t -~\x80-\xff]*$/.test(field)))
      return false
    const body = rest.subarray(end + 4)
    const length = bodyLength(fields, body)
    if (length === undefined || length > body.length) return false
    rest = body.subarray(length)
  } while (rest.length > 0)
  return true
}

function bodyLength(fields, body) {
  const lengths = valuesOf(fields, 'content-length')
  const codings = valuesOf(fields, 'transfer-encoding')
  if (lengths.length + codings.length > 1) return undefined
  if (codings.length === 1) return codings[0] === 'chunked' ? chunkedLength(body) : undefined
  if (lengths.length === 0) return 0
  return /^\d{1,9}$/.test(lengths[0]) ? Number(lengths[0]) : undefined
}

function chunkedLength(body) {
  for (let at = 0; ; ) {
    const end = body.indexOf('\r\n', at)
    if (end === -1) return undefined
    const digits = body.latin1Slice(at, end)
    if (!/^[0-9a-f]{1,6}$/i.test(digits)) return undefined
    const size = Number.parseInt(digits, 16)
    at = end + 2 + size
    if (body.subarray(at, at + 2).latin1Slice() !== '\r\n') return undefined
    at += 2
    if (size === 0) return at
  }
}

function valuesOf(fields, name) {
  return fields
    .filter((field) => field.slice(0, field.indexOf(':')).toLowerCase() === name)
    .map((field) =>
      field
        .slice(field.indexOf(':') + 1)
        .trim()
        .toLowerCase(),
    )
}
