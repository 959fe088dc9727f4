import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Resvg } from '@resvg/resvg-js'
import { described } from './tags.mjs'

const fontFiles = ['400Regular/Inter_400Regular.ttf', '700Bold/Inter_700Bold.ttf'].map((name) =>
  fileURLToPath(import.meta.resolve(`@expo-google-fonts/inter/${name}`)),
)
const font = { fontFiles, loadSystemFonts: false, defaultFontFamily: 'Inter' }

/** Draws for each page what a messenger shows beside a link to it. */
export async function drawPictures(outDir) {
  for (const [page, texts] of described) {
    const file = join(outDir, 'pictures', `${page}.png`)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, new Resvg(pictureOf(texts), { font }).render().asPng())
  }
}

function pictureOf({ title, description }) {
  const heading = wrapped(title, 24).slice(0, 3)
  const below = wrapped(description, 58).slice(0, 3)
  const top = 250 + heading.length * 84
  return `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630" font-family="Inter">
<rect width="1200" height="630" fill="#0b1512"/>
<rect width="12" height="630" fill="#46c492"/>
<rect x="80" y="78" width="70" height="50" rx="10" fill="#0b7a55"/>
<path d="M98 103l12 12 22-22" fill="none" stroke="#fff" stroke-width="7" stroke-linecap="round" stroke-linejoin="round"/>
<text x="174" y="115" font-size="34" fill="#a7d8c4">webhook-receiver</text>
${heading.map((line, at) => `<text x="78" y="${250 + at * 84}" font-size="74" font-weight="700" fill="#fff">${escaped(line)}</text>`).join('')}
${below.map((line, at) => `<text x="80" y="${top + at * 46}" font-size="34" fill="#b9c8c2">${escaped(line)}</text>`).join('')}
</svg>`
}

/** Lines of at most so many characters. */
function wrapped(text, columns) {
  return text.match(new RegExp(`\\S.{0,${columns - 2}}(?= |$)|\\S+`, 'g')) ?? []
}

function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
