import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type vectors from '@webhook-receiver/conformance/vectors'
import GithubSlugger from 'github-slugger'
import { describe, expect, test } from 'vitest'
import { fileOnSite, REPOSITORY, SITE } from '../../site/sources.mjs'
import { documents, read, root } from './documents.ts'

describe('SECURITY.md', async () => {
  const [, model = ''] = /^## Threat model$(.*?)^## /ms.exec(await read('SECURITY.md')) ?? []
  const rows = [...model.matchAll(/^\| (?!threat |---)(.*) \| .* \| (.*) \|$/gm)]
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

test('every link in a document leads to a file and, with an anchor, to a heading, and none leaves a package', async () => {
  const broken: string[] = []
  for (const name of documents) {
    // What npm packs has no neighbours: there, the documentation has its address.
    const [folder = ''] = /^packages\/[\w-]+\//.exec(name) ?? []
    for (const [, link = '', anchor] of withPaths(await read(name)).matchAll(
      /\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)/g,
    )) {
      const isAddress = link.startsWith('/')
      const target = link === '' ? name : join(isAddress ? '' : dirname(name), link)
      const leads =
        (isAddress || target.startsWith(folder)) &&
        existsSync(join(root, target)) &&
        (anchor === undefined || (await anchorsOf(documentAt(target))).has(anchor))
      if (!leads) broken.push(`${name}: ${link}#${anchor ?? ''}`)
    }
  }
  expect(broken).toEqual([])
})

test('every script that a document runs exists, and every file of the repository that it starts', async () => {
  const missing: string[] = []
  for (const name of documents) {
    // An example is copied elsewhere, where only the scripts in its folder exist.
    const folders = name.startsWith('examples/') ? [dirname(name)] : ['.', dirname(name)]
    const manifests = [
      ...folders,
      ...((await read(name)).match(/(?<=\]\([./]*)examples\/[\w-]+/g) ?? []),
    ]
    for (const [command, folder, script, file = ''] of (await read(name)).matchAll(
      /\bnpm (?:--prefix (\S+) )?run (?:--silent )?([\w:-]+)|\bnode ((?:packages|examples)\/\S+\.m?[jt]s)/g,
    )) {
      const scripts = (folder ? [folder] : manifests).flatMap(scriptsOf)
      if (script ? !scripts.includes(script) : !existsSync(join(root, file)))
        missing.push(`${name}: ${command}`)
    }
  }
  expect(missing).toEqual([])
})

function scriptsOf(folder: string): string[] {
  const file = join(root, folder, 'package.json')
  return existsSync(file) ? Object.keys(JSON.parse(readFileSync(file, 'utf8')).scripts ?? {}) : []
}

/** The files of the site, by the address of their page. */
const byAddress = new Map(
  documents.map((name) => [fileOnSite(name)?.replace(/(?:(^|\/)index)?\.md$/, '$1'), name]),
)

/** A document with a path from the root in place of each address of the repository and of the site. */
function withPaths(text: string): string {
  const onSite = `](${SITE}/`
  return text
    .replaceAll(`](${REPOSITORY}/tree/main/`, '](/')
    .replaceAll(`${onSite}start/`, '](/docs/start.md#')
    .split(onSite)
    .map((rest, at) =>
      at === 0 ? rest : rest.replace(/^[^)#\s]*/, (page) => `](/${byAddress.get(page)}`),
    )
    .join('')
}

/** GitHub shows the README of a folder. */
function documentAt(path: string): string {
  return path.endsWith('.md') ? path : join(path, 'README.md')
}

/** The anchors that GitHub gives to the headings of a document. */
async function anchorsOf(name: string): Promise<Set<string>> {
  const text = (await read(name)).replaceAll(/^```.*?^```$/gms, '')
  const slugger = new GithubSlugger()
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading)
  return new Set(headings.map((heading) => slugger.slug(heading.replaceAll(/\]\(.*?\)/g, ']'))))
}
