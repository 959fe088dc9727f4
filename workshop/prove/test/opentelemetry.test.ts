import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CHANNELS } from '@webhook-receiver/core'
import { afterAll, describe, expect, test } from 'vitest'
import { stopPrograms } from '../program.mjs'
import { exchange } from '../wire.mjs'
import { SECRET, signedRequest, startExample } from './example.ts'

const CANARY = 'canary-in-the-body'
const TRACE = '0af7651916cd43dd8448eb211c80319c'
const PARENT = 'b7ad6b7169203331'

afterAll(() => stopPrograms('SIGKILL'))

type Line = Readonly<Record<string, unknown>> & { readonly attributes: Record<string, unknown> }

function jsonLines(text: string): readonly Line[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
}

function traced(head: string): string {
  return head.replace('\r\n\r\n', `\r\ntraceparent: 00-${TRACE}-${PARENT}-01\r\n\r\n`)
}

describe('the opentelemetry example', () => {
  test('makes spans below the trace of the request, and metrics, and prints a line for each id', async () => {
    const example = await startExample('opentelemetry')
    const { head, body, line } = signedRequest(SECRET, { text: CANARY })
    expect(await exchange(example.port, [traced(head), body])).toBe(204)
    expect(await exchange(example.port, [head, body])).toBe(204)
    const forged = signedRequest('whsec_ffffffffffffffffffffffffffffffff', { text: CANARY })
    expect(await exchange(example.port, [forged.head, forged.body])).toBe(401)
    const { code, stdout, stderr } = await example.stop()
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${line}\n` })

    const lines = jsonLines(stderr)
    const spans = lines.filter(({ span }) => span)
    const continued = spans.filter(({ traceId }) => traceId === TRACE)
    const request = continued.find(({ span }) => span === 'POST /webhooks')
    expect(request).toMatchObject({ parent: PARENT })
    const names = ['receive default', 'claim default', 'complete default', 'process default']
    // The tests of the package have all attributes of spans and metrics.
    expect(continued.filter((span) => span !== request)).toMatchObject(
      names.map((span) => ({ span, parent: request?.spanId })),
    )
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(3)
    const requests = lines.filter(({ metric }) => metric === 'webhook.receiver.requests')
    expect(requests.map(({ value }) => value)).toEqual([2, 1])
    for (const canary of [CANARY, SECRET, 'sha256=']) expect(stderr).not.toContain(canary)
  })
})

test('docs/reference/channels.md has a row for each channel', async () => {
  const text = await readFile(
    join(import.meta.dirname, '../../../docs/reference/channels.md'),
    'utf8',
  )
  const rows = [...text.matchAll(/^\| `(webhook-receiver:\w+)` \|/gm)].map(([, name]) => name)
  expect(rows).toEqual(Object.values(CHANNELS))
})
