import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type vectors from '@webhook-receiver/conformance/vectors'
import GithubSlugger from 'github-slugger'
import { describe, expect, test } from 'vitest'
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

test.each(documents)('the links of %s lead somewhere', async (name) => {
  const links = [
    ...(await read(name)).matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)(?:#[^)]*)?\)/g),
  ]
  const broken = links
    .map(([, link = '']) => link)
    .filter((link) => !existsSync(join(root, dirname(name), link)))
  expect(broken).toEqual([])
})

test.each(documents)('the anchors in the links of %s are headings', async (name) => {
  const links = [...(await read(name)).matchAll(/\]\((?!https?:)([^)#\s]*)#([^)\s]+)\)/g)]
  const broken: string[] = []
  for (const [, link = '', anchor = ''] of links) {
    const target = documentAt(link === '' ? name : join(dirname(name), link))
    if (!(await anchorsOf(target)).has(anchor)) broken.push(`${link}#${anchor}`)
  }
  expect(broken).toEqual([])
})

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
