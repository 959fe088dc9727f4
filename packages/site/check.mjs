// Opens every page of the built site in Chromium: on a phone and on a desktop, in light and in dark. `npm run site:check`
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium } from 'playwright-core'
import { serve } from 'vitepress'
import { inspect, inspectOpened, pressTabs } from './check/inspect.mjs'
import { brokenLinks } from './check/links.mjs'
import { Summary } from './check/summary.mjs'
import { BASE } from './sources.mjs'

const HELP = `Usage: npm run site:check [-- options]

  --page <name>           only pages whose path contains this
  --screenshots <folder>  keeps a picture of each page
  --help                  shows this

CHROMIUM is the browser to use; /usr/bin/chromium by default.`

const SITE = import.meta.dirname
const DIST = join(SITE, 'dist')
const DEVICES = {
  phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
  desktop: { viewport: { width: 1280, height: 800 } },
}

const { values } = parseArgs({
  options: {
    page: { type: 'string', default: '' },
    screenshots: { type: 'string' },
    help: { type: 'boolean' },
  },
})
if (values.help) {
  console.log(HELP)
  process.exit()
}

const pages = readdirSync(DIST, { recursive: true })
  .filter((file) => file.endsWith('.html') && file !== '404.html')
  .filter((file) => file.includes(values.page))
  .sort()
if (pages.length === 0) throw new Error('There are no such pages in dist. Run npm run site first.')
if (values.screenshots) mkdirSync(values.screenshots, { recursive: true })

const summary = new Summary()
for (const [page, broken, links] of brokenLinks(DIST)) summary.at(page)('links', broken, links)
const server = (await serve({ root: SITE, port: 0 })).server
await new Promise((resolve) => (server.listening ? resolve() : server.once('listening', resolve)))
const root = `http://localhost:${server.address().port}${BASE}`
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
})
const looks = Object.entries(DEVICES).flatMap(([device, settings]) =>
  ['light', 'dark'].map((colorScheme) => ({ device, settings, colorScheme })),
)
await Promise.all(looks.map(look))
await browser.close()
server.close()
server.closeAllConnections()

console.log(`${pages.length} pages, on a phone and on a desktop, in light and in dark\n`)
console.log(summary.lines().join('\n'))
process.exit(summary.problems === 0 ? 0 : 1)

/** Every page, on one device and in one colour scheme. */
async function look({ device, settings, colorScheme }) {
  const context = await browser.newContext({ ...settings, colorScheme })
  const tab = await context.newPage()
  for (const page of pages) {
    const report = summary.at(`${page}, ${device}, ${colorScheme}`)
    await inspect(tab, `${root}${page}`, report)
    if (colorScheme === 'light') await pressTabs(tab, report)
    if (values.screenshots) {
      const name = `${page.replaceAll('/', '-')}-${device}-${colorScheme}.png`
      await tab.screenshot({ path: join(values.screenshots, name), fullPage: true })
    }
  }
  await inspectOpened(
    tab,
    `${root}start/express.html`,
    device,
    summary.at(`${device}, ${colorScheme}`),
  )
  await context.close()
}
