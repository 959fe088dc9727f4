import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const source = fileURLToPath(new URL('../src/', import.meta.url))

test('only the room of the contract names its headers', () => {
  const naming = sources().filter(({ code }) => /x-webhook/i.test(code))
  // Of the headers of all services, one shows the default format; one is a name for an id, which Stream has too.
  expect(naming.map(({ name, file }) => `${name}/${file}`).sort()).toEqual([
    'core/verify/other-service.ts',
    'schemes/neighbours/signature.ts',
    'schemes/services/stream.ts',
  ])
})

test('core and the adapters load nothing late', () => {
  const adapters = sources().filter(({ file }) => /^(?:handler|endpoint)\.ts$/.test(file))
  const names = ['core', ...adapters.map(({ name }) => name)]
  expect(names.length).toBeGreaterThan(7)
  const late = sources().filter(
    ({ name, code }) => names.includes(name) && /\b(?:import|require)\(/.test(code),
  )
  expect(late.map(({ name, file }) => join(name, file))).toEqual([])
})

/** The sources of all packages without their comments, but for the room of the contract. */
function sources() {
  const packages = join(source, '../..')
  const names = readdirSync(packages).filter((name) => existsSync(join(packages, name, 'src')))
  return names.flatMap((name) => {
    const folder = join(packages, name, 'src')
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((file) => file.replaceAll('\\', '/'))
      .filter((file) => file.endsWith('.ts') && !(name === 'core' && file.startsWith('contract/')))
      .map((file) => ({ name, file, code: withoutComments(join(folder, file)) }))
  })
}

function withoutComments(path: string) {
  return readFileSync(path, 'utf8').replace(/\/\*.*?\*\/|(?<=^|\s)\/\/.*?$/gms, '')
}
