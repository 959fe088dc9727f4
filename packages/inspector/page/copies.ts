import type { AttemptView } from '../src/delivery-view.ts'

/** What curl writes by itself. */
const OWN = /^(?:host|connection|content-length|transfer-encoding)$/i

/** A command for a shell that sends the same request. */
export function curlCommand({ url, attempt: { method, headers, body } }: AttemptView): string {
  const lines = [
    `curl -i -X ${method} ${quoted(url)}`,
    ...headers
      .filter(([name]) => !OWN.test(name))
      .map(([name, value]) => `-H ${quoted(value === '' ? `${name};` : `${name}: ${value}`)}`),
  ]
  if (body === null) return lines.join(' \\\n  ')
  // An argument holds no NUL, and curl reads a file where it begins with @.
  if ('text' in body && !/^@|\0/.test(body.text)) {
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

test(${JSON.stringify(`${accepted ? 'accepts' : 'answers'} ${event}`)}, async () => {
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
    const { data } = JSON.parse(body && 'text' in body ? body.text : '')
    if (typeof data?.data === 'object' && data.data !== null) return data.data
  } catch {}
  return {}
}

function indented(value: unknown, spaces: number): string {
  return JSON.stringify(value, null, 2).replaceAll('\n', `\n${' '.repeat(spaces)}`)
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

function toBase64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)))
}
