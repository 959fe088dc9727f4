import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import type vectors from '@webhook-receiver/conformance/vectors'
import { CODES, createReceiver, DEFAULTS, REASONS } from '@webhook-receiver/core'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../..')
const documents = await markdown()
const read = (name: string) => readFile(join(root, name), 'utf8')

/** Every Markdown file that is part of the documentation, relative to the root. */
async function markdown(): Promise<string[]> {
  const files = await readdir(root, { recursive: true, withFileTypes: true })
  return files
    .filter((file) => file.isFile() && file.name.endsWith('.md') && file.name !== 'CHANGELOG.md')
    .map((file) => relative(root, join(file.parentPath, file.name)))
    .filter((name) => !/node_modules|^\.changeset|^coverage|^dist/.test(name))
    .sort()
}

describe('docs/errors.md', () => {
  test('has one heading for each code with its status, and one for each reason under its code', async () => {
    const found: string[] = []
    let code = ''
    for (const [, level, name, status] of (await read('docs/errors.md')).matchAll(
      /^(##+) `(\w+)`(?: \((\d+)\))?$/gm,
    )) {
      if (level === '##') {
        code = `${status} ${name}`
        found.push(code)
      } else {
        found.push(`${code} ${name}`)
      }
    }
    const codes = Object.entries(CODES).map(([status, code]) => `${status} ${code}`)
    const reasons = Object.entries(REASONS).map(
      ([reason, status]) => `${status} ${CODES[status]} ${reason}`,
    )
    expect(found.sort()).toEqual([...codes, ...reasons].sort())
  })
})

describe('README.md', () => {
  test('has a row for each reason, with its status and code', async () => {
    const rows = (await read('README.md')).matchAll(/^\| (\d{3}) \| `(\w+)` \| \[`(\w+)`\]/gm)
    expect(
      [...rows].map(([, status, code, reason]) => `${status} ${code} ${reason}`).sort(),
    ).toEqual(
      Object.entries(REASONS)
        .map(([reason, status]) => `${status} ${CODES[status]} ${reason}`)
        .sort(),
    )
  })

  test('has a row for each option, with its default', async () => {
    const section = (await read('README.md')).split('\n## Options\n')[1]?.split('\n## ')[0] ?? ''
    const rows = [...section.matchAll(/^\| `(\w+)` \|[^|]*\|\s*`?([^|`]*?)`?\s*\|/gm)]
    const refusal = () => Reflect.apply(createReceiver, undefined, ['whsec_x', { nonsense: 1 }])
    expect(refusal).toThrow(`The options are: ${rows.map(([, name]) => name).join(', ')}.`)
    const stated = Object.fromEntries(rows.map(([, name, value]) => [name, value]))
    expect(stated).toMatchObject({
      tolerance: String(DEFAULTS.tolerance),
      schemaMismatch: `'${DEFAULTS.schemaMismatch}'`,
    })
    expect(Number(stated.limit?.replaceAll('_', ''))).toBe(DEFAULTS.limit)
  })
})

describe('SECURITY.md', async () => {
  const rows = [
    ...(await read('SECURITY.md')).matchAll(/^\| (?!threat |---)(.*) \| .* \| (.*) \|$/gm),
  ]
  const { cases }: typeof vectors = JSON.parse(
    await read('packages/conformance/vectors/cases.json'),
  )

  test('has a threat in each row', () => expect(rows.length).toBeGreaterThan(20))

  test.each(rows.map(([, threat = '', evidence = '']) => [threat, evidence]))(
    'has a file or vectors that show what is done about: %s',
    (_threat, evidence) => {
      const named = [...evidence.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
      expect(named).not.toEqual([])
      const missing = named.filter((name) =>
        name.includes('/') ? !existsSync(join(root, name)) : !cases.some(isNamed(name)),
      )
      expect(missing).toEqual([])
    },
  )

  /** By its id, by the beginning of that, or by its group. */
  function isNamed(name: string) {
    return ({ id, group }: (typeof cases)[number]) =>
      name.endsWith('*') ? id.startsWith(name.slice(0, -1)) : id === name || group === name
  }
})

test.each(documents)('the links of %s lead somewhere', async (name) => {
  const links = [
    ...(await read(name)).matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)(?:#[^)]*)?\)/g),
  ]
  const broken = links
    .map(([, link = '']) => link)
    .filter((link) => !existsSync(join(root, dirname(name), link)))
  expect(broken).toEqual([])
})

test('every TypeScript and JavaScript block of every document type-checks', {
  timeout: 60_000,
}, async () => {
  // Inside the checkout, so that the blocks import what the checkout has installed.
  const folder = await mkdtemp(join(root, 'packages/acceptance/test/.blocks-'))
  try {
    let blocks = 0
    for (const name of documents) {
      for (const [, language = '', code = ''] of (await read(name)).matchAll(
        /^```(ts|js)\n(.*?)^```$/gms,
      )) {
        blocks++
        const file = `${name.replaceAll(/\W/g, '-')}-${blocks}.${language}`
        // A block is a module, also where it imports nothing.
        await writeFile(join(folder, file), `${code}\nexport {}\n`)
      }
    }
    await writeFile(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        extends: '../../../../tsconfig.test.json',
        compilerOptions: { allowJs: true, checkJs: true, noUnusedLocals: false },
        include: ['*.ts', '*.js'],
      }),
    )
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    const checked = await promisify(execFile)(process.execPath, [tsc, '-p', folder]).catch(
      (failed: { stdout: string }) => failed,
    )
    expect(checked.stdout).toBe('')
    expect(blocks).toBeGreaterThan(10)
  } finally {
    await rm(folder, { recursive: true })
  }
})

test.each(documents)(
  'the shell blocks of %s name commands and packages that exist',
  async (name) => {
    // An example has scripts of its own.
    const folder = name.startsWith('examples/') ? dirname(name) : '.'
    const manifest = existsSync(join(root, folder, 'package.json')) ? 'package.json' : 'deno.json'
    const { scripts } = JSON.parse(await read(join(folder, manifest)))
    for (const [, block = ''] of (await read(name)).matchAll(/^```sh\n(.*?)^```$/gms)) {
      for (const [, script = ''] of block.matchAll(/npm (?:run )?(demo|test|[\w-]+)$/gm)) {
        if (!['install', 'start'].includes(script)) expect(Object.keys(scripts)).toContain(script)
      }
      for (const [, own = ''] of block.matchAll(/@webhook-receiver\/(\w+)/g)) {
        expect(existsSync(join(root, 'packages', own, 'package.json')), own).toBe(true)
      }
    }
  },
)
