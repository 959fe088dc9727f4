import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { serviceFile } from '../src/service-file.ts'

const PROGRAM = `import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
fs.readFileSync = () => {
  throw Object.assign(new Error('There are no files.'), { code: 'ENOENT' })
}
syncBuiltinESMExports()
const schemes = await import('@webhook-receiver/schemes')
const { serviceFile, withSamples } = await import('@webhook-receiver/schemes/services')
const files = Object.values(schemes).filter((scheme) => serviceFile(scheme?.name))
console.log(JSON.stringify([files.length, withSamples(schemes.stripe).sample('invoice.paid')]))
`

// Node resolves imports by this condition as the bundler of a Worker does.
it('a Worker, which has no files, finds the samples of all services', () => {
  const args = ['--no-warnings', '--conditions=workerd', '--input-type=module', '-e', PROGRAM]
  const output = execFileSync(process.execPath, args, {
    cwd: import.meta.dirname,
    encoding: 'utf8',
  })
  const [count, sample] = JSON.parse(output)
  expect(count).toBeGreaterThan(50)
  expect(sample).toEqual(serviceFile('stripe')?.samples['invoice.paid']?.body)
})
