import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { renderPage } from './reference/page.mjs'
import { DOCS, ROOT } from './sources.mjs'

/** Every file that is generated, wholly or in part, as it should be. */
export async function generatedFiles() {
  const reference = readdirSync(join(DOCS, 'reference')).map((name) => `reference/${name}`)
  const docs = ['README.md', ...reference, 'guides/schemes.md'].map((name) => join(DOCS, name))
  const pages = [...docs, join(ROOT, 'packages/site/pages/index.md')]
  const rendered = pages.map(async (file) => ({
    file,
    text: await renderPage(await readFile(file, 'utf8')),
  }))
  return Promise.all(rendered)
}
