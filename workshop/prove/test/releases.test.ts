import { expect, test } from 'vitest'
import { files, read } from './documents.ts'

test('our packages need exactly one version of one another', async () => {
  const manifests = files.filter((file) =>
    /^((packages|workshop)\/[^/]+\/)?package\.json$/.test(file),
  )
  const ranges: string[] = []
  for (const file of manifests) {
    const { dependencies, devDependencies, peerDependencies } = JSON.parse(await read(file))
    for (const [name, range] of Object.entries({
      ...dependencies,
      ...devDependencies,
      ...peerDependencies,
    })) {
      if (/^(@webhook-receiver\/|webhook-receiver$)/.test(name)) ranges.push(`${name} ${range}`)
    }
  }
  expect(ranges.filter((range) => !range.endsWith(' workspace:*'))).toEqual([])
  expect(ranges.length).toBeGreaterThan(50)
})
