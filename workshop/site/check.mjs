// Opens every page of the built site in Chromium, on a phone, a tablet and a desktop, in light and in dark: errors, requests that fail or go elsewhere,
// text that is cut off, barriers for people, tabs and links: `npm run site:check`. Then `node workshop/site/check.mjs guides/inbox start` looks at the
// pages that begin with these names alone, and not at what leads to others.
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import { chromium } from 'playwright-core'
import { serve } from 'vitepress'
import { BASE } from './sources.mjs'

const SITE = import.meta.dirname
const ALL = (axe) => axe

/** A browser opens each page once, and then looks at it in other ways. A phone has other elements than a desktop, and the dark has other colours; nothing else has either. */
const BROWSERS = {
  desktop: {
    options: { viewport: { width: 1280, height: 800 } },
    views: [
      { view: 'light', rules: ALL },
      { view: 'dark', rules: (axe) => axe.withRules(['color-contrast']) },
      { view: 'dark tablet', viewport: { width: 768, height: 1024 } },
    ],
  },
  phone: {
    options: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
    views: [
      { view: 'light', rules: (axe) => axe.disableRules(['color-contrast']) },
      { view: 'dark' },
    ],
  },
}

/** What VitePress 1.6 does in its list of results: links inside of options, and labels on its hints of keys. */
const IN_SEARCH = ['nested-interactive', 'label-content-name-mismatch', 'aria-prohibited-attr']

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
const problems = (await Promise.all(Object.keys(BROWSERS).map(look))).flat()
await browser.close()
server.close()
server.closeAllConnections()
console.log([...problems, `${pages.length} pages, ${problems.length} problems`].join('\n'))
process.exitCode = problems.length === 0 ? 0 : 1

/** Every page, and the search. */
async function look(device) {
  const { options, views } = BROWSERS[device]
  const found = []
  let seen = ''
  const context = await browser.newContext(options)
  const tab = await context.newPage()
  const report = (problem) => found.push(`${device}, ${seen}: ${tab.url()}: ${problem}`)
  tab.on('console', (message) => message.type() === 'error' && report(message.text()))
  tab.on('pageerror', (error) => report(error.message))
  tab.on('request', (request) => {
    if (!request.url().startsWith(`${origin}/`) && !request.url().startsWith('data:'))
      report(`a request to ${request.url()}`)
  })
  tab.on('response', (response) => {
    if (response.status() >= 400) report(`${response.status()} from ${response.url()}`)
  })
  const change = async ({ view, viewport = options.viewport }) => {
    seen = view
    await tab.emulateMedia({ colorScheme: view.split(' ')[0] })
    await tab.setViewportSize(viewport)
  }
  const links = new Map()
  const targets = new Set()
  const looked = new Set()
  for (const page of pages) {
    await change(views[0])
    await open(tab, page)
    // The first page of each folder is looked at in full.
    const isFirst = looked.size < looked.add(dirname(page)).size
    for (const each of views) {
      await change(each)
      const { outside, wrong, ids, hrefs } = await tab.evaluate(readPage)
      if (outside > 0) report(`${outside} px wider than the window`)
      wrong.forEach(report)
      for (const id of ['', ...ids]) targets.add(`${tab.url()}#${id}`)
      for (const href of hrefs) links.set(href, tab.url())
      const choose = isFirst ? ALL : each.rules && ((axe) => each.rules(ownOf(axe)))
      if (choose) await barriers(tab, report, choose)
    }
    console.error(`${device}: ${page}`)
  }
  if (names.length > 0) return found
  for (const [href, page] of links) {
    const url = new URL(decodeURI(href))
    // What GitHub shows is checked in the documents.
    if (url.origin !== origin) continue
    const path = url.pathname.replace(/\/$/, '/index.html')
    // The debugger reads a service and a reason there.
    const hash = path.endsWith('/debugger.html') ? '' : url.hash
    if (!targets.has(`${origin}${path}${hash || '#'}`)) report(`${page} leads to ${href}`)
  }
  await open(tab, 'start/express.html')
  await tab.locator('.DocSearch-Button').click()
  await tab.locator('.VPLocalSearchBox input').fill('secret')
  await tab.locator('.VPLocalSearchBox .result').first().waitFor()
  await barriers(tab, report, (axe) => axe.disableRules(IN_SEARCH))
  return found
}

/** Until Vue has taken over the page. */
async function open(tab, page) {
  await tab.goto(`${origin}${BASE}${page}`)
  await tab.waitForFunction(() => Boolean(document.querySelector('#app')?.__vue_app__))
}

/** What is not the same on all pages of a folder: the menus, and the colours of code, are. */
function ownOf(axe) {
  return axe.include('.VPContent').exclude('pre')
}

async function barriers(tab, report, choose) {
  const frame = tab.locator('iframe')
  if ((await frame.count()) > 0) await frame.contentFrame().locator('h1').waitFor()
  // Transitions change colours while they run.
  await tab.addStyleTag({
    content: '*, ::before, ::after { transition: none !important; animation: none !important }',
  })
  // Without the nodes that have none, of which a page has thousands.
  const axe = new AxeBuilder({ page: tab }).options({ resultTypes: ['violations'] })
  const { violations } = await choose(axe).analyze()
  for (const { id, nodes } of violations)
    report(`${id}: ${nodes[0].target.join(' ')}: ${nodes[0].failureSummary}`)
}

/** In the browser. Each tab is pressed: its part has to be shown and no other, in all blocks that offer the same choice. */
function readPage() {
  const root = document.documentElement
  const outside = root.scrollWidth - root.clientWidth
  const wrong = []
  const buttons = [...document.querySelectorAll('.choice-bar > button')]
  // The home page has two blocks and shows one bar.
  for (const button of buttons) {
    if (!button.checkVisibility()) continue
    button.click()
    const value = button.dataset.choose
    const { name } = button.closest('.choices').dataset
    for (const block of document.querySelectorAll(`.choices[data-name="${name}"]`)) {
      const parts = [...block.children].filter((each) => each.dataset.value)
      const offered = parts.find((part) => part.dataset.value.split(' ').includes(value))
      const shown = parts.filter((part) => getComputedStyle(part).display !== 'none')
      if (shown.length !== 1 || (offered && shown[0] !== offered))
        wrong.push(`${value} shows ${shown.length} parts, or not its own`)
    }
  }
  if (buttons.length > 0 && !buttons.some((button) => button.checkVisibility()))
    wrong.push('no tab is visible')
  return {
    ...{ outside, wrong },
    ids: [...document.querySelectorAll('[id]')].map(({ id }) => id),
    hrefs: [...document.querySelectorAll('a[href]')].map(({ href }) => href),
  }
}
