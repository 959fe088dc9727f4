import { AxeBuilder } from '@axe-core/playwright'

/** What is wrong with a page: errors, requests to elsewhere, text that is cut off, barriers for people. */
export async function inspect(tab, url) {
  const problems = []
  const { origin } = new URL(url)
  const onConsole = (message) => {
    if (message.type() === 'error') problems.push(`console: ${message.text()}`)
  }
  const onError = (error) => problems.push(`error: ${error.message}`)
  const onRequest = (request) => {
    const to = request.url()
    if (!to.startsWith(`${origin}/`) && !to.startsWith('data:')) problems.push(`request: ${to}`)
  }
  const onResponse = (response) => {
    if (response.status() >= 400) problems.push(`${response.status()}: ${response.url()}`)
  }
  tab.on('console', onConsole).on('pageerror', onError)
  tab.on('request', onRequest).on('response', onResponse)
  await open(tab, url)
  problems.push(...(await overflow(tab)), ...(await violations(tab)))
  tab.off('console', onConsole).off('pageerror', onError)
  tab.off('request', onRequest).off('response', onResponse)
  return problems
}

/** The same for what opens: the search, and on a phone the menus. */
export async function inspectOpened(tab, url, device) {
  const problems = []
  const look = async (what, known) => {
    problems.push(...(await violations(tab, known)).map((problem) => `${what}: ${problem}`))
  }
  await open(tab, url)
  await tab.locator('.DocSearch-Button').click()
  await tab.locator('.VPLocalSearchBox input').fill('secret')
  await tab.locator('.VPLocalSearchBox .result').first().waitFor()
  await look('search', IN_SEARCH)
  await tab.keyboard.press('Escape')
  if (device === 'phone') {
    await tab.locator('.VPNavBarHamburger').click()
    await tab.locator('.VPNavScreen').waitFor()
    await look('menu')
    await tab.locator('.VPNavBarHamburger').click()
    await tab.locator('.VPLocalNav .menu').click()
    await tab.locator('.VPSidebar.open').waitFor()
    await look('sidebar')
  }
  return problems
}

/** Until Vue has taken over the page. */
async function open(tab, url) {
  await tab.goto(url)
  await tab.waitForFunction(() => Boolean(document.querySelector('#app')?.__vue_app__))
}

async function overflow(tab) {
  const { scrollWidth, clientWidth } = await tab.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    return { scrollWidth, clientWidth }
  })
  return scrollWidth > clientWidth ? [`${scrollWidth - clientWidth} px wider than the window`] : []
}

/** What VitePress 1.6 does in its list of results: links inside of options, and labels on its hints of keys. */
const IN_SEARCH = ['nested-interactive', 'label-content-name-mismatch', 'aria-prohibited-attr']

async function violations(tab, known = []) {
  // Transitions change colours while they run.
  await tab.addStyleTag({
    content: '*, ::before, ::after { transition: none !important; animation: none !important }',
  })
  const found = await new AxeBuilder({ page: tab }).disableRules(known).analyze()
  return found.violations.map(({ id, impact, nodes }) => {
    const { target, failureSummary } = nodes[0]
    return `${id} (${impact}, ${nodes.length}): ${target.join(' ')}: ${failureSummary.replaceAll(/\s+/g, ' ')}`
  })
}
