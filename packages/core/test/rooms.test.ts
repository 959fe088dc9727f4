import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

/** The rooms and the files at the top. Each imports from those in front of it and from itself, and from nothing else. */
const ORDER = [
  'async',
  'copies',
  'validate',
  'reject',
  'verify',
  'parse',
  'delivery.ts',
  'request',
  'hooks.ts',
  'quarantine.ts',
  'options.ts',
  'handling',
  'observe',
  'testing',
  'receiver.ts',
  'application.ts',
  'index.ts',
  'adapter.ts',
]

const source = fileURLToPath(new URL('../src/', import.meta.url))
const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.ts'))
  .sort()
/** What each file imports of core, types included. */
const imports = new Map(files.map((file) => [file, importsOf(file)]))

test('every file is in a room, or is one of the files at the top', () => {
  expect(new Set(files.map(roomOf))).toEqual(new Set(ORDER))
})

test('nothing imports from a room that comes later', () => {
  const wrong = edges().filter(([from, to]) => rankOf(from) < rankOf(to))
  expect(wrong.map(([from, to]) => `${from} imports ${to}`)).toEqual([])
})

test('no files import one another in a circle, not even types', () => {
  expect(files.flatMap((file) => circleOf(file) ?? [])).toEqual([])
})

test('no names of files differ by an ending only', () => {
  const names = [...new Set(files.map((file) => file.replace(/^.*\/|\.ts$/g, '')))]
  const alike = names.flatMap((name) =>
    names.filter((other) => other !== name && stemOf(other) === stemOf(name)),
  )
  expect(alike).toEqual([])
})

function importsOf(file: string): readonly string[] {
  const text = readFileSync(join(source, file), 'utf8')
  return [...text.matchAll(/\b(?:from|import\() ?'(\.[^']+)'/g)].map(([, path = '']) =>
    relative(source, join(source, dirname(file), path)).replaceAll('\\', '/'),
  )
}

function edges(): readonly (readonly [from: string, to: string])[] {
  return files.flatMap((from) => (imports.get(from) ?? []).map((to) => [from, to] as const))
}

function roomOf(file: string): string {
  return file.split('/')[0] ?? ''
}

function rankOf(file: string): number {
  return ORDER.indexOf(roomOf(file))
}

/** The shortest way from a file back to itself. */
function circleOf(file: string): string | undefined {
  const ways = [[file]]
  const seen = new Set<string>()
  for (const way of ways) {
    for (const next of imports.get(way.at(-1) ?? '') ?? []) {
      if (next === file) return [...way, file].join(' > ')
      if (!seen.has(next)) ways.push([...way, next])
      seen.add(next)
    }
  }
  return undefined
}

/** A name without the endings that make another form of the same word. */
function stemOf(name: string): string {
  return name.replace(/(?<=...)(?:s|es|d|ed|er|ers|or|al|als|ing|ion|ions)$/, '')
}
