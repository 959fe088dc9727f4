/** The delivery in a validly signed body; nothing if it holds none. */
export function parseDelivery(body: Buffer): object | undefined {
  let value: unknown
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body)
    if (depth(text) > 64) return undefined
    value = JSON.parse(text, function (this: unknown, key: string, member: unknown) {
      return key === '__proto__' ? undefined : member
    })
  } catch {
    return undefined
  }
  return isDelivery(value) ? value : undefined
}

function depth(text: string): number {
  let open = 0
  let deepest = 0
  for (const token of text.matchAll(/"(?:[^"\\]|\\.)*"|[[{]|[\]}]/gs)) {
    if (token[0] === '[' || token[0] === '{') deepest = Math.max(deepest, ++open)
    else if (token[0] === ']' || token[0] === '}') open -= 1
  }
  return deepest
}

function isDelivery(value: unknown): value is object {
  if (!isObject(value) || !isObject(value.data)) return false
  const { data } = value
  const texts = [value.id, value.event, value.created_at, data.instance_id, data.timestamp]
  return (
    texts.every((text) => typeof text === 'string' && text !== '') &&
    data.event === value.event &&
    isObject(data.data)
  )
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
