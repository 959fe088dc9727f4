// A folder without an index leads to the first page of its part of the site, so that nobody gets 404 for /start or /guides.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sections } from '../sections.mjs'
import { BASE } from '../sources.mjs'
import { startPages } from '../start.mjs'

const FRAMEWORKS = startPages.map(({ name }) => name)

/** Writes the missing indexes into the built site. */
export function writeFolderIndexes(outDir) {
  const folders = readdirSync(outDir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
  for (const folder of folders) {
    const file = join(outDir, folder, 'index.html')
    const inFolder = ({ pages }) =>
      pages.filter(({ link }) => link.startsWith(`/${folder}/`)).length
    const [section] = sections.toSorted((one, other) => inFolder(other) - inFolder(one))
    if (existsSync(file) || inFolder(section) === 0) continue
    writeFileSync(
      file,
      indexOf(`${BASE.replace(/\/$/, '')}${section.groups[0].pages[0].link}.html`),
    )
  }
}

/** Whether a file of the built site is such an index, and no page. */
export function leadsOn(file) {
  return readFileSync(file, 'utf8').includes('\nlocation.replace(')
}

/** On the framework that the reader chose last. */
function indexOf(address) {
  const script = `let to = ${JSON.stringify(address)}
try {
  const chosen = localStorage.getItem('framework')
  if (${JSON.stringify(FRAMEWORKS)}.includes(chosen)) to = to.replace(/(?<=\\/start\\/)[\\w-]+/, chosen)
} catch {}
location.replace(to + location.hash)`
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="robots" content="noindex">
<title>webhook-receiver</title>
<script>
${script}
</script>
<noscript><meta http-equiv="refresh" content="0; url=${address}"></noscript>
<a href="${address}">webhook-receiver</a>
</html>
`
}
