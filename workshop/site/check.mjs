// Opens every page of the built site in Chromium, on a desktop and a tablet in light colours and on a phone in dark ones: errors, requests that fail or go
// elsewhere, text that is cut off, barriers for people: `npm run site:check`. Then `node workshop/site/check.mjs guides/inbox start` looks at
// the pages that begin with these names alone. Links to pages that do not exist stop the build.
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import { chromium } from 'playwright-core'
import { serve } from 'vitepress'
import { BASE } from './sources.mjs'

const SITE = import.meta.dirname

/** A phone has other elements than a desktop, and the dark has other colours; nothing else has either. A tablet is only narrower. */
const VIEWS = {
  desktop: {
    sizes: [
      { width: 768, height: 1024 },
      { width: 1280, height: 800 },
    ],
  },
  phone: {
    sizes: [{ width: 390, height: 844 }],
    ...{ isMobile: true, hasTouch: true, colorScheme: 'dark' },
  },
}

/** No pages: the last one leads to another. */
const OTHERS = /^(?:404|debugger-frame|guides\/signature-does-not-match)\.html$/

const names = process.argv.slice(2)
const pages = readdirSync(join(SITE, 'dist'), { recursive: true })
  .filter((file) => file.endsWith('.html') && !OTHERS.test(file))
  .filter((file) => names.length === 0 || names.some((name) => file.startsWith(name)))
const { server } = await serve({ root: SITE, port: 0 })
if (!server.listening) await once(server, 'listening')
const origin = `http://localhost:${server.address().port}`
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
})
const problems = (await Promise.all(Object.keys(VIEWS).map(look))).flat()
await browser.close()
server.close()
server.closeAllConnections()
console.log([...problems, `${pages.length} pages, ${problems.length} problems`].join('\n'))
process.exitCode = problems.length === 0 ? 0 : 1

async function look(view) {
  const found = []
  const { sizes, ...options } = VIEWS[view]
  const context = await browser.newContext(options)
  const tab = await context.newPage()
  const report = (problem) => found.push(`${view}: ${tab.url()}: ${problem}`)
  tab.on('console', (message) => message.type() === 'error' && report(message.text()))
  tab.on('pageerror', (error) => report(error.message))
  tab.on('request', (request) => {
    if (!request.url().startsWith(`${origin}/`) && !request.url().startsWith('data:'))
      report(`a request to ${request.url()}`)
  })
  tab.on('response', (response) => {
    if (response.status() >= 400) report(`${response.status()} from ${response.url()}`)
  })
  for (const page of pages) {
    await tab.goto(`${origin}${BASE}${page}`)
    // Until Vue has taken over the page, and the debugger has filled its frame.
    await tab.waitForFunction(() => Boolean(document.querySelector('#app')?.__vue_app__))
    const frame = tab.locator('iframe')
    if ((await frame.count()) > 0) await frame.contentFrame().locator('h1').waitFor()
    for (const size of sizes) {
      await tab.setViewportSize(size)
      const { outside, cells } = await tab.evaluate(() => {
        const [page, ...cells] = ['html', 'td', 'th']
          .flatMap((name) => [...document.querySelectorAll(name)])
          .map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
        return { outside: page, cells: cells.filter((pixels) => pixels > 0).length }
      })
      if (outside > 0) report(`${outside} px wider than a window of ${size.width} px`)
      // On a phone, a row is a card, and a long name may reach into its padding.
      if (cells > 0 && view === 'desktop')
        report(`${cells} cells with a word wider than their column`)
    }
    // Without the nodes that have no barriers, of which a page has thousands.
    const axe = new AxeBuilder({ page: tab }).options({ resultTypes: ['violations'] })
    const { violations } = await axe.analyze()
    for (const { id, nodes } of violations)
      report(`${id}: ${nodes[0].target.join(' ')}: ${nodes[0].failureSummary}`)
    console.error(`${view}: ${page}`)
  }
  return found
}
