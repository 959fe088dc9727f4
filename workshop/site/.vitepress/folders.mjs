// A folder without an index leads to the first page of its part of the site, so that nobody gets 404 for /start or /guides.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sections } from '../sections.mjs'
import { BASE } from '../sources.mjs'

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
    writeFileSync(file, indexOf(`${BASE.replace(/\/$/, '')}${section.listed[0].link}.html`))
  }
}

/** Whether a file of the built site is such an index, and no page. */
export function leadsOn(file) {
  return readFileSync(file, 'utf8').includes('http-equiv="refresh"')
}

function indexOf(address) {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="robots" content="noindex">
<link rel="icon" href="data:,">
<meta http-equiv="refresh" content="0; url=${address}">
<title>webhook-receiver</title>
<a href="${address}">webhook-receiver</a>
</html>
`
}
