import { existsSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import axe from 'axe-core'
import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type Frame,
  type Locator,
  type Page,
} from 'playwright-core'
import { afterAll, expect, onTestFinished } from 'vitest'

const PLACES = ['/usr/bin/chromium', '/usr/bin/google-chrome', '/usr/bin/chromium-browser']

/** The browser of this machine; `undefined` where there is none. */
export const CHROMIUM: string | undefined =
  process.env.CHROMIUM ?? PLACES.find((path) => existsSync(path))

if (CHROMIUM === undefined) {
  const advice = 'There is no Chromium: install it, or set CHROMIUM to its path.'
  if (process.env.CI === 'true') throw new Error(advice)
  console.warn(`The tests of the page are skipped. ${advice}`)
}

let browser: Promise<Browser> | undefined
afterAll(async () => soon((await browser)?.close()))

/** Chromium sometimes does not end on a busy machine. It is killed with the process of the tests. */
async function soon(closing: Promise<void> | undefined): Promise<void> {
  await Promise.race([closing, wait(5000, undefined, { ref: false })])
}

/** A page, and everything that it complained about. */
export interface Tab {
  readonly page: Page
  readonly problems: string[]
}

/** Opens an address in a new browser context, which is closed after the test. `problems` should then be empty. */
export async function openTab(url: string, options: BrowserContextOptions = {}): Promise<Tab> {
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
  return { page, problems }
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

/** The rows of the list that are in the document. */
export function rowsOf(page: Page): Locator {
  return page.getByRole('listbox', { name: 'Deliveries' }).getByRole('option')
}

/** How many deliveries the search leaves. */
export async function shownCount(page: Page): Promise<number> {
  const text = (await page.locator('.shown').textContent()) ?? ''
  return Number((/^[\d,]+/.exec(text)?.[0] ?? '0').replaceAll(',', ''))
}

export async function waitForCount(page: Page, count: number): Promise<void> {
  await expect.poll(() => shownCount(page)).toBe(count)
}

/** Opens a part of a delivery, such as its signature. */
export async function showPart(page: Page, name: 'Request' | 'Signature' | 'Response') {
  await page.getByRole('button', { name, exact: true }).click()
}

/** Chooses in the menu of Resend. */
export async function resend(page: Page, name: string): Promise<void> {
  await page.locator('summary', { hasText: 'Resend as' }).click()
  await page.getByRole('button', { name, exact: true }).click()
}
