import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { renderPage } from './reference/page.mjs'
import { newPage, SERVICES } from './services/pages.mjs'
import { DOCS, ROOT } from './sources.mjs'

/** Every file that is generated, wholly or in part, as it should be. The page of a new service begins with its blocks. */
export async function generatedFiles() {
  const reference = readdirSync(join(DOCS, 'reference')).map((name) => `reference/${name}`)
  const docs = ['README.md', ...reference, 'services/README.md']
  const others = ['packages/site/pages/index.md', 'packages/schemes/skill/SKILL.md']
  const files = [...docs.map((name) => join(DOCS, name)), ...others.map((name) => join(ROOT, name))]
  const written = files.map(async (file) => ({ file, page: await readFile(file, 'utf8') }))
  const services = SERVICES.map(async (name) => {
    const file = join(DOCS, 'services', `${name}.md`)
    return { file, page: existsSync(file) ? await readFile(file, 'utf8') : await newPage(name) }
  })
  const pages = await Promise.all([...written, ...services])
  return Promise.all(pages.map(async ({ file, page }) => ({ file, text: await renderPage(page) })))
}
