import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { publicPackages } from '../pack.mjs'
import { firstSteps, importsOf } from '../release/readme.mjs'

const PACKAGES = new URL('../../../packages/', import.meta.url)
const read = (file: string) => readFileSync(new URL(file, PACKAGES), 'utf8')

const packages = (await publicPackages()).map(({ folder, name }) => ({
  name,
  steps: firstSteps(read(`${folder}/README.md`)),
}))

test('there are public packages', () => expect(packages.length).toBeGreaterThan(10))

describe.each(packages)('the README of $name', ({ name, steps }) => {
  test('installs the package, and all that its first program imports', () => {
    const installed = (steps.install ?? '').split(' ').map((word) => word.replace(/(?<=.)@.*/, ''))
    expect(installed).toEqual(
      expect.arrayContaining([name, ...importsOf(steps.program?.code ?? '')]),
    )
  })

  test('shows a program or a command', () => {
    const [imported] = importsOf(steps.program?.code ?? '')
    expect(imported ?? steps.command).toBeDefined()
  })
})
