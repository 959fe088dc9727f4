import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { firstSteps, importsOf } from '../release/readme.mjs'

const PACKAGES = new URL('../../../packages/', import.meta.url)
const read = (file: string) => readFileSync(new URL(file, PACKAGES), 'utf8')

const packages = readdirSync(PACKAGES)
  .map((folder) => ({ folder, ...JSON.parse(read(`${folder}/package.json`)) }))
  .filter((manifest) => manifest.private !== true)
  .map(({ folder, name }) => ({ name, steps: firstSteps(read(`${folder}/README.md`)) }))

test('there are public packages', () => expect(packages.length).toBeGreaterThan(10))

describe.each(packages)('the README of $name', ({ name, steps }) => {
  test('installs the package, and all that its first program imports', () => {
    const installed = (steps.install ?? '').split(' ').map((word) => word.replace(/(?<=.)@.*/, ''))
    expect(installed).toEqual(
      expect.arrayContaining([name, ...importsOf(steps.program?.code ?? '')]),
    )
  })

  test('shows a program or a command', () => {
    expect(steps.program ?? steps.command).toBeDefined()
  })
})

test('the imports of a program are packages, each once', () => {
  const code = [
    "import { readFile } from 'node:fs/promises'",
    "import 'name/side-effect'",
    'import {',
    '  one,',
    "} from '@scope/name/part'",
    "import two from '@scope/name'",
    "export { three } from './own.ts'",
    "console.log('from express')",
  ]
  expect(importsOf(code.join('\n'))).toEqual(['name', '@scope/name'])
})
