import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SDKS } from '../judges/sdks.mjs'

const root = join(import.meta.dirname, '../../..')
interface Sdk {
  readonly package?: string
  readonly isLast?: boolean
  readonly source?: string
  readonly sample?: object
}
const sdks: Readonly<Record<string, Sdk>> = SDKS

test('a page says that a scheme is tested every week where the newest SDK is', () => {
  const workflow = readFileSync(join(root, '.github/workflows/long.yml'), 'utf8')
  expect(workflow).toMatch(/^ +- cron: "\d+ \d+ \* \* \d"$/m)
  expect(workflow).toContain('- prove -- judges --latest\n')
  const said = Object.fromEntries(
    readdirSync(join(root, 'docs/services')).flatMap((file) => {
      const page = readFileSync(join(root, 'docs/services', file), 'utf8')
      const row = /^- Tested against `(\S+)` \S+, on \S+, and its newest version every week\.$/m
      const [, judge = 'not in the table'] = row.exec(page) ?? []
      return /every week|weekly/.test(page) ? [[file.replace('.md', ''), judge]] : []
    }),
  )
  const isNewest = Object.entries(sdks).filter(([, sdk]) => sdk.package && !sdk.isLast)
  expect(said).toEqual(Object.fromEntries(isNewest.map(([name, sdk]) => [name, sdk.package])))
})
