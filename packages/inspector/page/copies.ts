import type { AttemptView } from '../src/delivery-view.ts'

/** What curl writes by itself. */
const OWN = /^(?:host|connection|content-length|transfer-encoding)$/i

/** A command that sends the same request, for POSIX shells and fish (from 3.4). */
export function curlCommand({ url, attempt: { method, headers, body } }: AttemptView): string {
  const lines = [
    `curl -gi -X ${method} ${quoted(url)}`,
    ...headers
      .filter(([name]) => !OWN.test(name))
      .map(
        ([name, value]) => `-H ${quotedHeader(value === '' ? `${name};` : `${name}: ${value}`)}`,
      ),
  ]
  // An argument holds no NUL, curl reads a file where it begins with @, and a terminal takes a pasted control character for a key.
  if ('text' in body && !/^@|(?!\n)\p{Cc}/u.test(body.text)) {
    return [...lines, `--data-binary ${quoted(body.text)}`].join(' \\\n  ')
  }
  const base64 = 'base64' in body ? body.base64 : toBase64(body.text)
  return `printf %s ${quoted(base64)} | base64 -d | ${[...lines, '--data-binary @-'].join(' \\\n  ')}`
}

/** A test that delivers the same event to an application. It signs with WEBHOOK_SECRET. */
export function testCode({ event, instance, id, url, status, attempt }: AttemptView): string {
  const { pathname, search } = new URL(url)
  const options = { path: `${pathname}${search}`, id, instanceId: instance }
  const accepted = status !== undefined && status < 300
  return `// Each adapter has deliverTo in its testing entry.
import { deliverTo } from '@webhook-receiver/express/testing'
import { expect, test } from 'vitest'
import { app } from './app.js'

test(${JSON.stringify(`${accepted ? 'accepts' : 'responds to'} ${event}`)}, async () => {
  const response = await deliverTo(
    app,
    ${JSON.stringify(event)},
    ${indented(content(attempt.body), 4)},
    ${indented(options, 4)},
  )
  expect(response.status).toBe(${status ?? 204})
})
`
}

function content(body: AttemptView['attempt']['body']): unknown {
  try {
    const { data } = JSON.parse('text' in body ? body.text : '')
    if (typeof data?.data === 'object' && data.data !== null) return data.data
  } catch {}
  return {}
}

function indented(value: unknown, spaces: number): string {
  return JSON.stringify(value, null, 2).replaceAll('\n', `\n${' '.repeat(spaces)}`)
}

/** Each character of a value is a byte, which printf makes where it is not ASCII, or a terminal takes it for a key. */
function quotedHeader(text: string): string {
  if (!/[^ -~]/.test(text)) return quoted(text)
  // Between double quotes, bash would also expand an exclamation mark.
  const escaped = text.replace(/(?![\w ,./:;=+-])[\0-\xff]/g, (character) =>
    character === '%' ? '%%' : `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`,
  )
  return `"$(printf '${escaped}')"`
}

/** In fish, `\'` between quotes does not end them, and `\\` is one character. So both stand outside. */
function quoted(text: string): string {
  return `'${text.replace(/['\\]/g, (character) => `'\\${character}'`)}'`
}

function toBase64(text: string): string {
  const bytes = new TextEncoder().encode(text)
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}
