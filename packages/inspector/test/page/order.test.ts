import type { Page, Request, Route } from 'playwright-core'
import { expect, it } from 'vitest'
import { inspecting, responding } from '../setup.ts'
import { openTab, withBrowser } from './browser.ts'

/** Holds what the page asks the server, so that the test chooses the order of the responses. */
async function hold(page: Page, path: string) {
  const held: Route[] = []
  const ended = new Set<Request>()
  page.on('requestfinished', (request) => ended.add(request))
  page.on('requestfailed', (request) => ended.add(request))
  await page.route(
    (url) => url.pathname.endsWith(`/api/${path}`),
    (route) => void held.push(route),
  )
  return {
    /** Waits until the page has asked so often. */
    asked: (count: number) => expect.poll(() => held.length).toBeGreaterThanOrEqual(count),
    /** Responds as the server does, or with `response`, and waits until the page has seen that, or no longer wants it. */
    async respond(index: number, response?: Parameters<Route['fulfill']>[0]) {
      const route = held[index]
      if (route === undefined) throw new Error(`The page has asked ${held.length} times.`)
      await (response ? route.fulfill(response) : route.continue())
      await expect.poll(() => ended.has(route.request())).toBe(true)
      const painted = () =>
        new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
      await page.evaluate(painted)
      await page.evaluate(painted)
    },
  }
}

/** A page with three deliveries to a server, each with two attempts. What it asks at this path is held. */
async function openDeliveries(path: string) {
  const { url, post } = await inspecting({ url: await responding() })
  for (const text of ['apple', 'apple pie', 'pear'])
    await post('send', { target: 'it', body: { text }, copies: 2 })
  const tab = await openTab(url, { expects: /./ })
  await tab.count(3)
  const { page } = tab
  const event = page.locator('.pane').getByLabel('Event')
  const choose = async (name: string) => {
    await event.fill(name)
    await event.blur()
  }
  const body = page.getByLabel('Body')
  const alerts = () => page.getByRole('alert').count()
  return { ...tab, ...(await hold(page, path)), event, choose, body, alerts }
}

const FAILURE = { status: 500, json: { message: 'It broke.' } }

withBrowser('what was asked last is shown', () => {
  it('a name that is being typed stays when a sample arrives', async () => {
    const { press, event, asked, respond, bodyHolds } = await openDeliveries('sample')
    await press('New delivery')
    await asked(1)
    await event.fill('message.read')
    await respond(0)
    expect(await event.inputValue()).toBe('message.read')
    await event.blur()
    await asked(2)
    await respond(1)
    await bodyHolds('"event": "message.read"')
  })

  it('of two samples; until it is there, nothing can be sent', async () => {
    const { asked, respond, body, event, choose, ...tab } = await openDeliveries('sample')
    await tab.press('New delivery')
    await asked(1)
    await choose('message.sent')
    await asked(2)
    await choose('message.failed')
    await asked(3)
    await respond(2)
    await tab.bodyHolds('"event": "message.failed"')
    await respond(0)
    await respond(1, FAILURE)
    expect(await body.inputValue()).toContain('"event": "message.failed"')
    expect(await event.inputValue()).toBe('message.failed')
    expect(await tab.alerts()).toBe(0)

    await choose('message.read')
    await asked(4)
    expect(await body.inputValue()).toBe('')
    expect(await body.isEditable()).toBe(false)
    expect(await tab.button('Sign and send').isDisabled()).toBe(true)
    await respond(3, FAILURE)
    await tab.see('The sample could not be loaded: It broke.')
    expect(await body.isEditable()).toBe(true)
    await choose('message.sent')
    await asked(5)
    await respond(4)
    expect(await body.inputValue()).toContain('"event": "message.sent"')
    expect(await tab.alerts()).toBe(0)
  })

  it('of two deliveries and two attempts; a failure is gone when a later one is loaded', async () => {
    const { page, rows, asked, respond, ...tab } = await openDeliveries('attempt')
    await rows.nth(2).click()
    await asked(1)
    await rows.first().click()
    await asked(2)
    await respond(1)
    // What is not signed opens at its signature.
    await tab.part('Request')
    const text = page.locator('pre')
    await expect.poll(() => text.textContent()).toBe('pear')
    await respond(0)
    expect(await text.textContent()).toBe('pear')

    const attempt = (n: number) => tab.button(`Attempt ${n}`)
    await attempt(1).click()
    await asked(3)
    await attempt(2).click()
    await asked(4)
    await respond(3)
    await respond(2)
    expect(await attempt(2).getAttribute('aria-pressed')).toBe('true')

    await attempt(1).click()
    await asked(5)
    await respond(4, FAILURE)
    await tab.see('It broke.')
    // The list of attempts is gone for now; the address leads to the other one.
    await page.evaluate(() => {
      location.hash = location.hash.replace('attempt=1', 'attempt=2')
    })
    await asked(6)
    await respond(5)
    await expect.poll(() => text.textContent()).toBe('pear')
    expect(await tab.alerts()).toBe(0)
  })

  it('of two deliveries that were sent, and of a row that was chosen since', async () => {
    const { page, keys, asked, respond, ...tab } = await openDeliveries('send')
    const selected = () => page.locator('.row[aria-selected=true]').getAttribute('id')
    await tab.rows.first().click()
    await keys('r', 'r')
    await asked(2)
    await respond(1)
    await expect.poll(selected).toBe('delivery-4')
    await respond(0)
    await tab.count(5)
    expect(await selected()).toBe('delivery-4')

    await keys('r')
    await asked(3)
    await page.locator('#delivery-1').click()
    await respond(2)
    await tab.count(6)
    expect(await selected()).toBe('delivery-1')
    await keys('r')
    await asked(4)
    await page.locator('#delivery-2').click()
    await respond(3, FAILURE)
    await tab.see('It broke.')
  })
})
