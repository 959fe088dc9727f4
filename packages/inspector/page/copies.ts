import type { AttemptView } from '../src/delivery-view.ts'

/** A test that delivers the same event to an application. It signs with WEBHOOK_SECRET. */
export function testCode(view: AttemptView): string {
  const { event, id, url, status, service } = view
  const { pathname, search } = new URL(url)
  const path = `${pathname}${search}`
  const scheme = service?.replace(/-(.)/g, (_, letter) => letter.toUpperCase())
  const { data = {}, ...options } = { path, id, ...contentOf(view) }
  const accepted = status !== undefined && status < 300
  return `// Each adapter has deliverTo in its testing entry.
import { deliverTo } from '@webhook-receiver/express/testing'
${scheme ? `import { ${scheme} } from '@webhook-receiver/schemes'\n` : ''}import { expect, test } from 'vitest'
import { app } from './app.js'

test(${JSON.stringify(`${accepted ? 'accepts' : 'responds to'} ${event}`)}, async () => {
  const response = await deliverTo(
    app,
    ${JSON.stringify(event)},
    ${indented(data)},
    { ${scheme ? `scheme: ${scheme}, ` : ''}...${indented(options)} },
  )
  expect(response.status).toBe(${status ?? 204})
})
`
}

/** What stands in a body that is given apart: all of it, or what is in its envelope. */
function contentOf({ attempt: { body }, contentAt }: AttemptView) {
  try {
    const data: unknown = JSON.parse('text' in body ? body.text : '')
    if (contentAt !== 'data.data') return { data }
    const { instance_id: instanceId, data: content } = Object(Object(data).data)
    return { data: content, instanceId }
  } catch {
    return {}
  }
}

function indented(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll('\n', '\n    ')
}
