import { AxeBuilder } from '@axe-core/playwright'

/**
 * Looks at a page: errors, requests that fail or go elsewhere, text that is cut off, barriers for people.
 *
 * @param {(kind: string, problems: readonly string[], checked?: number) => void} report
 */
export async function inspect(tab, url, report) {
  const { origin } = new URL(url)
  const errors = []
  const requests = []
  const listeners = {
    console: (message) => {
      if (message.type() === 'error') errors.push(message.text())
    },
    pageerror: (error) => errors.push(error.message),
    request: (request) => requests.push({ url: request.url() }),
    response: (response) => requests.push({ url: response.url(), status: response.status() }),
  }
  for (const [event, listener] of Object.entries(listeners)) tab.on(event, listener)
  await open(tab, url)
  report('width', await overflow(tab))
  report('accessibility', await violations(tab))
  for (const [event, listener] of Object.entries(listeners)) tab.off(event, listener)
  report('console', errors)
  const bad = requests.filter(({ url: to, status = 0 }) => isElsewhere(to, origin) || status >= 400)
  const sent = requests.filter(({ status }) => status === undefined)
  report(
    'requests',
    bad.map(({ url: to, status = 'sent' }) => `${status}: ${to}`),
    sent.length,
  )
}

/** Presses every tab of the open page, and looks whether its part is shown and no other, in all blocks that offer the same choice. */
export async function pressTabs(tab, report) {
  const blocks = await tab.locator('.choices').all()
  let pressed = 0
  for (const block of blocks) {
    await showPart(block)
    const name = await block.getAttribute('data-name')
    for (const button of await block.locator('> .choice-bar > button').all()) {
      // The home page has two blocks and shows one bar.
      if (!(await button.isVisible())) continue
      pressed++
      await button.click()
      const value = await button.getAttribute('data-choose')
      const wrong = await tab
        .locator(`.choices[data-name="${name}"]`)
        .evaluateAll(wrongParts, value)
      report(
        'tabs',
        wrong.map((shown) => `${value} shows the parts ${shown}`),
      )
    }
  }
  if (blocks.length > 0 && pressed === 0) report('tabs', ['no tab is visible'])
}

/** Of the blocks that offer a choice, those that show anything but its part. In the browser. */
function wrongParts(blocks, value) {
  return blocks.flatMap((block) => {
    const parts = [...block.querySelectorAll(':scope > [data-value]')]
    const offered = parts.filter(({ dataset }) => dataset.value.split(' ').includes(value))
    const shown = parts.filter((part) => getComputedStyle(part).display !== 'none')
    const isRight = shown.length === 1 && (offered.length === 0 || shown[0] === offered[0])
    return isRight ? [] : [JSON.stringify(shown.map(({ dataset }) => dataset.value))]
  })
}

/** Presses the tab of the part that a block is in, if it is in one. */
async function showPart(block) {
  const part = block.locator('xpath=ancestor::*[@data-value][1]')
  if ((await part.count()) === 0) return
  const [value] = (await part.getAttribute('data-value')).split(' ')
  await part.locator(`xpath=../fieldset/button[@data-choose="${value}"]`).click()
}

function isElsewhere(url, origin) {
  return !url.startsWith(`${origin}/`) && !url.startsWith('data:')
}

/** The same for what opens: the search, and on a phone the menus. */
export async function inspectOpened(tab, url, device, report) {
  const look = async (what, known) => {
    const found = await violations(tab, known)
    report(
      'accessibility',
      found.map((problem) => `${what}: ${problem}`),
    )
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
