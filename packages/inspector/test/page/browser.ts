import { existsSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import axe from 'axe-core'
import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type Frame,
  type Page,
} from 'playwright-core'
import { afterAll, describe, expect, onTestFinished } from 'vitest'

const PLACES = ['/usr/bin/chromium', '/usr/bin/google-chrome', '/usr/bin/chromium-browser']

/** The browser of this machine; `undefined` where there is none. */
const CHROMIUM: string | undefined = process.env.CHROMIUM ?? PLACES.find((path) => existsSync(path))

if (CHROMIUM === undefined) {
  const advice = 'There is no Chromium: install it, or set CHROMIUM to its path.'
  if (process.env.CI === 'true') throw new Error(advice)
  console.warn(`The tests of the page are skipped. ${advice}`)
}

export const withBrowser = describe.skipIf(CHROMIUM === undefined)

let browser: Promise<Browser> | undefined
afterAll(async () => soon((await browser)?.close()))

/** Chromium sometimes does not end on a busy machine. It is killed with the process of the tests. */
async function soon(closing: Promise<void> | undefined) {
  await Promise.race([closing, wait(5000, undefined, { ref: false })])
}

export type Tab = Awaited<ReturnType<typeof openTab>>

/**
 * Opens an address in a new browser context, which is closed after the test, with what somebody does on the page. The test fails if
 * the page has complained about anything else than what it `expects`.
 */
export async function openTab(
  url: string,
  { expects, ...options }: BrowserContextOptions & { expects?: RegExp } = {},
) {
  browser ??= chromium.launch({
    executablePath: CHROMIUM ?? '',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
  const context = await (await browser).newContext({
    viewport: { width: 1440, height: 900 },
    permissions: ['clipboard-read', 'clipboard-write'],
    ...options,
  })
  onTestFinished(() => soon(context.close()))
  const page = await context.newPage()
  page.setDefaultTimeout(120_000)
  const problems: string[] = []
  onTestFinished(() => expect(problems.filter((text) => !expects?.test(text))).toEqual([]))
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(message.text())
  })
  page.on('pageerror', (error) => problems.push(String(error)))
  page.on('dialog', (dialog) => {
    problems.push(`a dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('request', (request) => {
    if (new URL(request.url()).host !== new URL(url).host) problems.push(`asks ${request.url()}`)
  })
  await page.goto(url)
  const button = (name: string | RegExp, exact = false) => page.getByRole('button', { name, exact })
  const menu = (name: 'Resend as' | 'Copy') => page.locator('summary', { hasText: name }).click()
  const shown = async () => {
    const text = (await page.locator('.shown').textContent()) ?? ''
    return Number((/^[\d,]+/.exec(text)?.[0] ?? '0').replaceAll(',', ''))
  }
  return {
    ...{ page, problems, button },
    press: (name: string | RegExp, exact?: boolean) => button(name, exact).click(),
    keys: async (...names: string[]) => {
      for (const name of names) await page.keyboard.press(name)
    },
    see: (text: string) => page.getByText(text).waitFor(),
    /** Waits until an element has the text. */
    holds: (element: string, text: string) =>
      expect.poll(() => page.locator(element).textContent()).toContain(text),
    bodyHolds: (text: string) =>
      expect.poll(() => page.getByLabel('Body').inputValue()).toContain(text),
    /** The rows of the list that are in the document. */
    rows: page.getByRole('listbox', { name: 'Deliveries' }).getByRole('option'),
    /** Waits until the search leaves so many deliveries. */
    count: (many: number) => expect.poll(shown).toBe(many),
    /** Opens a part of a delivery. */
    part: (name: 'Request' | 'Signature' | 'Response') => button(name, true).click(),
    menu,
    async resend(name: string) {
      await menu('Resend as')
      await button(name, true).click()
    },
    hasNoBarriers: async (where?: string) => expect(await barriers(page), where).toEqual([]),
  }
}

/** The barriers that axe finds. */
export async function barriers(page: Page | Frame): Promise<readonly string[]> {
  // What a test evaluates is not bound by the policy of the page.
  await page.evaluate(axe.source)
  return page.evaluate(async () => {
    const axe = Reflect.get(globalThis, 'axe')
    const { violations } = await axe.run()
    return violations.flatMap(
      ({ id, nodes }: { id: string; nodes: { html: string; failureSummary: string }[] }) =>
        nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary}`),
    )
  })
}
