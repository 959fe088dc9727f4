import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../../..')
const read = (path: string) => readFile(join(ROOT, path), 'utf8')

test('docs/reference/telemetry.md has a row for each metric, and each attribute that a source names', async () => {
  const text = await read('docs/reference/telemetry.md')
  const sources = await Promise.all(
    ['attributes', 'metrics', 'spans'].map((name) => read(`packages/opentelemetry/src/${name}.ts`)),
  )
  const named = new Set(sources.flatMap((source) => source.match(/(?<=')\w+(\.\w+)+(?=')/g) ?? []))
  expect(named.size).toBeGreaterThan(20)
  expect([...named].filter((name) => !text.includes(`\`${name}\``))).toEqual([])
})
