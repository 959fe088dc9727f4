import type { Page, Request, Route } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { inspecting, post, responding } from '../setup.ts'
import { CHROMIUM, openTab, rowsOf, showPart, waitForCount } from './browser.ts'

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

/** A page with three deliveries to a server, each with two attempts. */
async function openDeliveries() {
  const { url } = await inspecting({ url: await responding() })
  for (const text of ['apple', 'apple pie', 'pear']) {
    await post(url, 'send', { target: 'it', body: { text }, copies: 2 })
  }
  const tab = await openTab(url)
  await waitForCount(tab.page, 3)
  return tab
}

const FAILURE = { status: 500, json: { message: 'It broke.' } }

describe.skipIf(CHROMIUM === undefined)('what was asked last is shown', () => {
  it('a name that is being typed stays when a sample arrives', async () => {
    const { page } = await openDeliveries()
    const samples = await hold(page, 'sample')
    const event = page.locator('.pane').getByLabel('Event')
    await page.getByRole('button', { name: 'New delivery' }).click()
    await samples.asked(1)
    await event.fill('message.read')
    await samples.respond(0)
    expect(await event.inputValue()).toBe('message.read')
    await event.blur()
    await samples.asked(2)
    await samples.respond(1)
    expect(await page.getByLabel('Body').inputValue()).toContain('"event": "message.read"')
  })

  it('of two samples; until it is there, nothing can be sent', async () => {
    const { page } = await openDeliveries()
    const samples = await hold(page, 'sample')
    const body = page.getByLabel('Body')
    const event = page.locator('.pane').getByLabel('Event')
    const choose = async (name: string) => {
      await event.fill(name)
      await event.blur()
    }
    await page.getByRole('button', { name: 'New delivery' }).click()
    await samples.asked(1)
    await choose('message.sent')
    await samples.asked(2)
    await choose('message.failed')
    await samples.asked(3)
    await samples.respond(2)
    await expect.poll(() => body.inputValue()).toContain('"event": "message.failed"')
    await samples.respond(0)
    await samples.respond(1, FAILURE)
    expect(await body.inputValue()).toContain('"event": "message.failed"')
    expect(await event.inputValue()).toBe('message.failed')
    expect(await page.getByRole('alert').count()).toBe(0)

    await choose('message.read')
    await samples.asked(4)
    expect(await body.inputValue()).toBe('')
    expect(await body.isEditable()).toBe(false)
    expect(await page.getByRole('button', { name: 'Sign and send' }).isDisabled()).toBe(true)
    await samples.respond(3, FAILURE)
    await page.getByText('The sample could not be loaded: It broke.').waitFor()
    expect(await body.isEditable()).toBe(true)
    await choose('message.sent')
    await samples.asked(5)
    await samples.respond(4)
    expect(await body.inputValue()).toContain('"event": "message.sent"')
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  it('of two deliveries and two attempts; a failure is gone when a later one is loaded', async () => {
    const { page } = await openDeliveries()
    const attempts = await hold(page, 'attempt')
    const text = page.locator('pre')
    await rowsOf(page).nth(2).click()
    await attempts.asked(1)
    await rowsOf(page).first().click()
    await attempts.asked(2)
    await attempts.respond(1)
    // What is not signed opens at its signature.
    await showPart(page, 'Request')
    await expect.poll(() => text.textContent()).toBe('pear')
    await attempts.respond(0)
    expect(await text.textContent()).toBe('pear')

    const attempt = (n: number) => page.getByRole('button', { name: `Attempt ${n}` })
    await attempt(1).click()
    await attempts.asked(3)
    await attempt(2).click()
    await attempts.asked(4)
    await attempts.respond(3)
    await attempts.respond(2)
    expect(await attempt(2).getAttribute('aria-pressed')).toBe('true')

    await attempt(1).click()
    await attempts.asked(5)
    await attempts.respond(4, FAILURE)
    await page.getByText('It broke.').waitFor()
    // The list of attempts is gone for now; the address leads to the other one.
    await page.evaluate(() => {
      location.hash = location.hash.replace('attempt=1', 'attempt=2')
    })
    await attempts.asked(6)
    await attempts.respond(5)
    await expect.poll(() => text.textContent()).toBe('pear')
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  it('of two deliveries that were sent, and of a row that was chosen since', async () => {
    const { page } = await openDeliveries()
    const sent = await hold(page, 'send')
    const selected = page.locator('.row[aria-selected=true]')
    await rowsOf(page).first().click()
    await page.keyboard.press('r')
    await page.keyboard.press('r')
    await sent.asked(2)
    await sent.respond(1)
    await expect.poll(() => selected.getAttribute('id')).toBe('delivery-4')
    await sent.respond(0)
    await waitForCount(page, 5)
    expect(await selected.getAttribute('id')).toBe('delivery-4')

    await page.keyboard.press('r')
    await sent.asked(3)
    await page.locator('#delivery-1').click()
    await sent.respond(2)
    await waitForCount(page, 6)
    expect(await selected.getAttribute('id')).toBe('delivery-1')
    await page.keyboard.press('r')
    await sent.asked(4)
    await page.locator('#delivery-2').click()
    await sent.respond(3, FAILURE)
    await page.getByText('It broke.').waitFor()
  })
})
