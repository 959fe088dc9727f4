import type { AttemptView } from '../src/delivery-view.ts'

/** A test that delivers the same event to an application. It signs with WEBHOOK_SECRET. */
export function testCode({ event, id, url, status, service, attempt }: AttemptView): string {
  const { pathname, search } = new URL(url)
  const path = `${pathname}${search}`
  const isOther = service !== 'contract'
  const scheme = service.replace(/-(.)/g, (_, letter) => letter.toUpperCase())
  const { data = {}, ...options } = { path, id, ...contentOf(attempt.body, isOther) }
  const accepted = status !== undefined && status < 300
  return `// Each adapter has deliverTo in its testing entry.
import { deliverTo } from '@webhook-receiver/express/testing'
${isOther ? `import { ${scheme} } from '@webhook-receiver/schemes'\n` : ''}import { expect, test } from 'vitest'
import { app } from './app.js'

test(${JSON.stringify(`${accepted ? 'accepts' : 'responds to'} ${event}`)}, async () => {
  const response = await deliverTo(
    app,
    ${JSON.stringify(event)},
    ${indented(data, 4)},
    { ${isOther ? `scheme: ${scheme}, ` : ''}...${indented(options, 4)} },
  )
  expect(response.status).toBe(${status ?? 204})
})
`
}

/** What stands in a body that is given apart: all of it, or, in the default format, what is in its envelope. */
function contentOf(body: AttemptView['attempt']['body'], isWhole: boolean) {
  try {
    const data: unknown = JSON.parse('text' in body ? body.text : '')
    if (isWhole) return { data }
    const { instance_id: instanceId, data: content } = Object(Object(data).data)
    return { data: content, instanceId }
  } catch {
    return {}
  }
}

function indented(value: unknown, spaces: number): string {
  return JSON.stringify(value, null, 2).replaceAll('\n', `\n${' '.repeat(spaces)}`)
}
