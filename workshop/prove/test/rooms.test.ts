import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from './documents.ts'

/** The rooms of core and the files at its top. Each imports from those in front of it and from itself, and from nothing else. */
const CORE: readonly string[] = [
  'copies',
  'validate',
  'async',
  'reject',
  'verify',
  'parse',
  'contract',
  'delivery.ts',
  'verification.ts',
  'request',
  'hooks.ts',
  'public-url.ts',
  'quarantine.ts',
  'options.ts',
  'observe',
  'store',
  'handling',
  'run',
  'delivery-handler.ts',
  'queue',
  'receiver.ts',
  'forward-errors.ts',
  'webhook-handling.ts',
  'request-handler.ts',
  'adapter-forms.ts',
  'testing',
  'index.ts',
  'adapter.ts',
  'stores.ts',
  'internal.ts',
]

/** What opens files or servers, or runs on a developer's machine. It may import any module of Node. */
const NEEDS_NODE = ['cli', 'conformance', 'emulator', 'inspector', 'quarantine', 'sqlite', 'suites']

const CHEAP = ['node:crypto', 'node:diagnostics_channel']

const sources = ['packages', 'workshop'].flatMap((parent) =>
  readdirSync(join(root, parent))
    .map((name) => [name, join(root, parent, name, 'src')] as const)
    .filter(([, source]) => existsSync(source) && existsSync(join(source, '../package.json'))),
)

describe.each<readonly [name: string, source: string]>([
  ...sources,
  ['the page of the inspector', join(root, 'packages/inspector/page')],
])('%s', (name, source) => {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => /\.tsx?$/.test(file))
    .sort()
  const rooms = [...new Set(files.map(roomOf))]
  // Elsewhere the rooms stand in the order that no import contradicts, if there is one.
  const order = name === 'core' ? CORE : sorted(rooms, importsOfRoom)

  test('has every file in a room, or at the top', () => {
    expect(new Set(rooms)).toEqual(new Set(order))
  })

  test('imports nothing from a room that comes later', () => {
    const edges = files.flatMap((from) => importsOf(from).map((to) => [from, to] as const))
    const wrong = edges.filter(([from, to]) => rankOf(from) < rankOf(to))
    expect(wrong.map(([from, to]) => `${from} imports ${to}`)).toEqual([])
  })

  test('has no files that import one another in a circle, not even types', () => {
    expect(files.flatMap((file) => circleOf(file, importsOf) ?? [])).toEqual([])
  })

  // A page has code in its texts.
  if (!name.startsWith('the page'))
    test('imports only packages that are installed with it', () => {
      const manifest = JSON.parse(readFileSync(join(source, '../package.json'), 'utf8'))
      const { dependencies, peerDependencies, devDependencies, private: isPrivate } = manifest
      const installed = Object.keys({
        ...{ [manifest.name]: '', ...dependencies, ...peerDependencies },
        // What is bundled.
        ...(isPrivate ? devDependencies : { '@webhook-receiver/inspector': '' }),
      })
      const imported = files.flatMap((file) => [
        ...readFileSync(join(source, file), 'utf8').matchAll(
          /^(?:import|export|} from) (?!type\b)(?:.* from )?'((?:@[^/']+\/)?[^./'#$][^/']*)|\bimport\('((?:@[^/']+\/)?[^./'#$][^/']*)/gm,
        ),
      ])
      const names = imported.map(([, fixed, late]) => fixed ?? late ?? '')
      const others = names.filter((each) => !each.startsWith('node:') && !installed.includes(each))
      expect(new Set(others)).toEqual(new Set())
    })

  if (!NEEDS_NODE.includes(name)) {
    test('loads only cheap modules of Node, because a function waits for them at each cold start', () => {
      const reached = new Set(
        ['index.ts', 'adapter.ts', 'stores.ts', 'internal.ts'].filter((file) =>
          files.includes(file),
        ),
      )
      for (const file of reached) for (const next of importsOf(file)) reached.add(next)
      const modules = [...reached].flatMap((file) => {
        const text = readFileSync(join(source, file), 'utf8')
        return [...text.matchAll(/^import (?!type\b)[^']*'(node:[^']+)'/gm)].map(([, id]) => id)
      })
      const costly = modules.filter((id) => id !== undefined && !CHEAP.includes(id))
      expect(costly, 'a package that cannot do without is named in NEEDS_NODE').toEqual([])
    })
  }

  /** What a file imports of its package, types included. */
  function importsOf(file: string): readonly string[] {
    const text = readFileSync(join(source, file), 'utf8')
    return [...text.matchAll(/\b(?:from|import\() ?'(\.[^']+)'/g)]
      .map(([, path = '']) =>
        relative(source, join(source, dirname(file), path)).replaceAll('\\', '/'),
      )
      .filter((path) => files.includes(path))
  }

  function importsOfRoom(room: string): readonly string[] {
    const own = files.filter((file) => roomOf(file) === room)
    return own
      .flatMap(importsOf)
      .map(roomOf)
      .filter((other) => other !== room)
  }

  function rankOf(file: string): number {
    return order.indexOf(roomOf(file))
  }
})

function roomOf(file: string): string {
  return file.split('/')[0] ?? ''
}

/** Each behind what it imports, but for those in a circle. */
function sorted(
  rooms: readonly string[],
  importsOf: (room: string) => readonly string[],
): readonly string[] {
  const placed = new Set<string>()
  const place = (room: string, above: readonly string[]) => {
    if (placed.has(room) || above.includes(room)) return
    for (const other of importsOf(room)) place(other, [...above, room])
    placed.add(room)
  }
  for (const room of rooms) place(room, [])
  return [...placed]
}

/** The shortest way from a file back to itself. */
function circleOf(
  file: string,
  importsOf: (file: string) => readonly string[],
): string | undefined {
  const ways = [[file]]
  const seen = new Set<string>()
  for (const way of ways) {
    for (const next of importsOf(way.at(-1) ?? '')) {
      if (next === file) return [...way, file].join(' > ')
      if (!seen.has(next)) ways.push([...way, next])
      seen.add(next)
    }
  }
  return undefined
}
