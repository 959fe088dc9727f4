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
const TOKENS = JSON.parse(readFileSync(join(root, 'workshop/site/services/tokens.json'), 'utf8'))
const sdks: Readonly<Record<string, Sdk>> = SDKS

test('the list of services says which are not tested weekly against their newest SDK', () => {
  const workflow = readFileSync(join(root, '.github/workflows/long.yml'), 'utf8')
  expect(workflow).toMatch(/^ +- cron: "\d+ \d+ \* \* \d"$/m)
  expect(workflow).toContain('- prove -- judges --latest\n')
  const index = readFileSync(join(root, 'docs/services/README.md'), 'utf8')
  expect(index).toContain('own SDK, sample code or signatures, most of them every week')
  const rows = [...index.matchAll(/^\| \[[^\]]+\]\((\S+)\.md\).*$/gm)]
  const weekly = rows.filter(([row]) => !row.includes('tested against')).map(([, name]) => name)
  const newest = Object.entries(sdks).filter(([, sdk]) => sdk.package && !sdk.isLast)
  // Those that sign by a token.
  expect(workflow).toContain('- prove -- tokens --latest\n')
  const tokens = Object.keys(TOKENS)
  expect(weekly.sort()).toEqual([...newest.map(([name]) => name), ...tokens].sort())
})
