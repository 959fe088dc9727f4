import { toBase64 } from './base64.ts'
import type { Pasted, Result } from './examine.ts'
import type { Service } from './services.ts'

/** A test that sends the very same request to a receiver, at the time at which it was signed. The secret comes from the environment. */
export function testCode(
  { exported, variable, scheme }: Service,
  { method, headers, body, url, receivedAt }: Pasted,
  { isValid, reason, event }: Result,
): string {
  const header = (wanted: string) => headers.find(([name]) => name.toLowerCase() === wanted)?.[1]
  const now = receivedAt ?? scheme.claimedTime?.(header)
  const whole = /^https?:/.test(url) ? url : `https://example.com${url || '/webhooks'}`
  const options = [
    exported && `scheme: ${exported}`,
    scheme.signsUrl && `publicUrl: ${quoted(whole)}`,
    now !== undefined && `now: () => ${now}`,
    'onRejected: false',
  ]
  const kept = headers.filter(
    ([name]) => scheme.headers.includes(name.toLowerCase()) || /^content-type$/i.test(name),
  )
  const lines = kept.map(([name, value]) => `[${quoted(name)}, ${quoted(value)}],`)
  const expected = isValid
    ? `const { delivery } = await receiver.receiveRequest(request)
  expect(delivery).toMatchObject(${event ? `{ event: ${quoted(event)} }` : '{}'})`
    : `await expect(receiver.receiveRequest(request)).rejects.toMatchObject({
    reason: ${quoted(reason ?? 'signature_mismatch')},
  })`
  return `import { createReceiver } from '@webhook-receiver/core'
${exported ? `import { ${exported} } from '@webhook-receiver/schemes'\n` : ''}import { expect, test } from 'vitest'

test('${isValid ? 'accepts' : 'rejects'} the request', async () => {
  const receiver = createReceiver(process.env.${variable}, {
    ${options.filter(Boolean).join(',\n    ')},
  })
  const request = new Request(${quoted(whole)}, {
    method: ${quoted(method)},
    headers: [
      ${lines.join('\n      ')}
    ],
    body: ${bodyCode(body)},
  })
  ${expected}
})
`
}

/** As text, where that gives the very same bytes. */
function bodyCode(body: Uint8Array): string {
  try {
    return quoted(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body))
  } catch {
    return `Buffer.from(${quoted(toBase64(body))}, 'base64')`
  }
}

/** In single quotes, with every escape that JavaScript needs. */
function quoted(text: string): string {
  const inside = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")
  return `'${inside}'`
}
