import { readFileSync } from 'node:fs'
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

test('the list of services says weekly of those whose newest SDK is tried every week', () => {
  const workflow = readFileSync(join(root, '.github/workflows/long.yml'), 'utf8')
  expect(workflow).toMatch(/^ +- cron: "\d+ \d+ \* \* \d"$/m)
  expect(workflow).toContain('- prove -- judges --latest\n')
  const index = readFileSync(join(root, 'docs/services/README.md'), 'utf8')
  const weekly = index.split('\n').filter((line) => /weekly/.test(line))
  const said = weekly.map((row) => /^\| \[[^\]]+\]\((\S+)\.md\)/.exec(row)?.[1] ?? row)
  const newest = Object.entries(sdks).filter(([, sdk]) => sdk.package && !sdk.isLast)
  expect(said.sort()).toEqual(newest.map(([name]) => name).sort())
})
