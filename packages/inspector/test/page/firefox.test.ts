import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startExample } from '@webhook-receiver/checks/example.mjs'
import { freePorts } from '@webhook-receiver/checks/free-ports.mjs'
import { startProgram, stopPrograms } from '@webhook-receiver/checks/program.mjs'
import axe from 'axe-core'
import puppeteer from 'puppeteer-core'
import { afterAll, expect, it } from 'vitest'

const COMMAND = new URL('../../../cli/bin/webhook-receiver.js', import.meta.url).pathname

const FIREFOX =
  process.env.FIREFOX ??
  ['/usr/bin/firefox-esr', '/usr/bin/firefox'].find((path) => existsSync(path))

// Playwright drives a Firefox of its own only. WebDriver BiDi is in every Firefox.
if (FIREFOX === undefined) {
  console.warn(
    'The page is not tested in Firefox: install firefox-esr, or set FIREFOX to its path.',
  )
}

afterAll(() => stopPrograms('SIGKILL'))

it.skipIf(FIREFOX === undefined)('works in Firefox', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'inspector-'))
  const [port = 0] = await freePorts(1)
  const secretFile = join(folder, 'secret')
  const secret = `whsec_${randomUUID()}`
  await writeFile(secretFile, secret)
  const service = startProgram(process.execPath, [
    ...[COMMAND, 'emulate', '--forward', `http://localhost:${port}/webhooks`],
    ...['--scenario', 'none', '--ui', '--secret-file', secretFile],
  ])
  const url = (await service.printed(/Inspector +(\S+)/)) ?? ''
  await startExample('express', { secret, port })

  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: FIREFOX ?? '',
    headless: true,
  })
  try {
    const page = await browser.newPage()
    page.setDefaultTimeout(120_000)
    await page.setViewport({ width: 1440, height: 900 })
    const problems: string[] = []
    page.on('console', (message) => {
      if (['error', 'warn'].includes(message.type())) problems.push(message.text())
    })
    page.on('pageerror', (error) => problems.push(String(error)))
    await page.goto(url)
    const textOf = (selector: string) =>
      page.$eval(selector, (element) => element.textContent).catch(() => undefined)

    await page.locator('::-p-text(New delivery)').click()
    await page.waitForFunction(() => document.querySelector('textarea')?.value.includes('"id"'))
    await page.locator('::-p-text(Sign and send)').click()
    await expect
      .poll(() => textOf('.conclusion'))
      .toContain('The signature is valid. Your server responded with 204')
    await page.locator('::-p-text(Resend as)').click()
    await page.locator('::-p-text(body changed)').click()
    await expect.poll(() => textOf('.conclusion')).toContain('your server rejected it')
    expect(await textOf('.conclusion')).toContain('signature_mismatch')

    await page.evaluate(axe.source)
    const violations = await page.evaluate(() => Reflect.get(globalThis, 'axe').run())
    expect(violations.violations.map(({ id }: { id: string }) => id)).toEqual([])
    expect(problems).toEqual([])
  } finally {
    await browser.close()
    await stopPrograms()
    await rm(folder, { recursive: true, force: true })
  }
})
