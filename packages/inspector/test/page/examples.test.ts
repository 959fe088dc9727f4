import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startExample } from '@webhook-receiver/checks/example.mjs'
import { freePorts } from '@webhook-receiver/checks/free-ports.mjs'
import { startProgram, stopPrograms } from '@webhook-receiver/checks/program.mjs'
import { EVENTS } from '@webhook-receiver/core'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  barriers,
  CHROMIUM,
  openTab,
  resend,
  rowsOf,
  shownCount,
  showPart,
  type Tab,
} from './browser.ts'

const ROOT = new URL('../../../../', import.meta.url).pathname
const COMMAND = new URL('../../../cli/bin/webhook-receiver.js', import.meta.url).pathname

afterAll(() => stopPrograms('SIGKILL'))

/** Runs a copied test beside an application that responds with `status` to a valid delivery. */
async function runCopied(test: string, status: number): Promise<object> {
  // Below the root, where the packages are found.
  const folder = await mkdtemp(join(ROOT, '.blocks-'))
  const application = `import { webhookMiddleware } from '@webhook-receiver/express'
import express from 'express'

export const app = express()
app.post('/webhooks', webhookMiddleware(process.env.WEBHOOK_SECRET), (_, res) => res.sendStatus(${status}))
`
  try {
    await writeFile(join(folder, 'app.js'), application)
    await writeFile(join(folder, 'copied.test.js'), test)
    // Not that of this project.
    await writeFile(join(folder, 'vitest.config.js'), 'export default {}')
    const args = [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', '--root', folder]
    const env = { WEBHOOK_SECRET: 'whsec_test', NO_COLOR: '1' }
    return await startProgram(process.execPath, args, { env }).ended
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const first = (page: Page) => rowsOf(page).first()
const pane = (page: Page) => page.locator('.pane')
const conclusion = (page: Page) => page.locator('.conclusion').first()

/** Waits for the delivery that is opened to be the newest of so many, and for its response. */
async function opened(page: Page, count: number, status: string): Promise<void> {
  await expect.poll(() => shownCount(page)).toBe(count)
  await expect.poll(() => first(page).getAttribute('aria-selected')).toBe('true')
  await expect.poll(() => first(page).locator('.pill').textContent()).toBe(status)
}

// On the wire, the examples of all frameworks do the same.
describe.skipIf(CHROMIUM === undefined)('with the Express example', () => {
  let folder = ''
  let tab: Tab
  let handled: () => readonly string[]

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'inspector-'))
    const [port = 0] = await freePorts(1)
    const secretFile = join(folder, 'secret')
    const secret = `whsec_${randomUUID()}`
    await writeFile(secretFile, secret)
    const target = `http://localhost:${port}/webhooks`
    const service = startProgram(process.execPath, [
      ...[COMMAND, 'emulate', '--forward', target, '--scenario', 'none', '--ui'],
      ...['--secret-file', secretFile],
    ])
    const url = (await service.printed(/Inspector +(\S+)/)) ?? ''
    await service.printed(/(Forwards to)/)
    const receiver = await startExample('express', { secret, port })
    handled = () => receiver.output().stdout.trim().split('\n').filter(Boolean)
    tab = await openTab(url)
  })

  afterEach(async () => {
    await stopPrograms()
    await rm(folder, { recursive: true, force: true })
  })

  it('sends each event, again, signed again, tampered, edited and ten times at once', async () => {
    const { page, problems } = tab
    let count = 0
    for (const event of EVENTS) {
      await page.getByRole('button', { name: 'New delivery' }).click()
      await page.getByLabel('Receiver').waitFor()
      await pane(page).getByLabel('Event').fill(event)
      await pane(page).getByLabel('Event').blur()
      await expect.poll(() => page.getByLabel('Body').inputValue()).toContain(`"event": "${event}"`)
      await page.getByRole('button', { name: 'Sign and send' }).click()
      count += 1
      await opened(page, count, '204')
      await expect
        .poll(() => conclusion(page).textContent())
        .toContain('The signature is valid. Your server responded with 204 in')
      expect(await first(page).textContent()).toContain(event)
    }
    expect(handled()).toHaveLength(EVENTS.length)

    await resend(page, 'Resend the same bytes and signature')
    count += 1
    await opened(page, count, '204')
    await page.getByRole('button', { name: 'Resend', exact: true }).click()
    count += 1
    await opened(page, count, '204')

    await resend(page, 'too old')
    count += 1
    await opened(page, count, '401')
    await expect
      .poll(() => conclusion(page).textContent())
      .toContain('Tampered with (too old); your server rejected it, as it should.')
    expect(await first(page).textContent()).toContain('✓ rejected: too old')

    await rowsOf(page).nth(2).click()
    await resend(page, 'Edit and resend …')
    await page.getByLabel('Body').click()
    await page.keyboard.press('Control+Home')
    await page.keyboard.type('  ')
    await page.getByLabel('Sign with').uncheck()
    await page.getByRole('button', { name: 'Send as it is' }).click()
    count += 1
    await opened(page, count, '401')
    await expect
      .poll(() => conclusion(page).textContent())
      .toContain('Tampered with (edited, not signed again)')
    await showPart(page, 'Signature')
    const shown = await pane(page).textContent()
    expect(shown).toContain('✗ The signature does not match what arrived')
    expect(shown).toContain('timestamp, then “.”, then body, byte for byte.')
    const colours = await page
      .locator('pre .part')
      .evaluateAll((parts) => parts.map((part) => getComputedStyle(part).backgroundColor))
    // What is the same in every request is in the colour of no part, and not in that of a mistake.
    expect(colours[1]).toBe('rgb(236, 236, 240)')
    expect(new Set(colours).size).toBe(3)

    await rowsOf(page).nth(3).click()
    await resend(page, 'Resend 10 at once')
    count += 1
    await expect.poll(() => shownCount(page)).toBe(count)
    await expect
      .poll(() =>
        page.getByRole('list', { name: 'Attempts' }).locator('.pill:not(.pending)').count(),
      )
      .toBe(10)
    // Copies, and what was rejected, ran nothing.
    expect(handled()).toHaveLength(EVENTS.length)
    expect(problems).toEqual([])
  })

  it('copies the id, the headers, the body and a test of a delivery, and saves it as a capture', async () => {
    const { page, problems } = tab
    await page.getByRole('button', { name: 'New delivery' }).click()
    await expect.poll(() => page.getByLabel('Body').inputValue()).toContain('"id"')
    await page.getByRole('button', { name: 'Sign and send' }).click()
    await opened(page, 1, '204')
    const copied = async (name: string) => {
      await page.locator('summary', { hasText: 'Copy' }).click()
      await page.getByRole('button', { name, exact: true }).click()
      await page.getByText(`Copied: ${name}`).waitFor()
      return page.evaluate(() => navigator.clipboard.readText())
    }
    const saving = page.waitForEvent('download')
    await page.locator('summary', { hasText: 'Copy' }).click()
    await page.getByRole('button', { name: 'Save as a capture' }).click()
    const file = await (await saving).path()
    const capture = JSON.parse(await readFile(file, 'utf8'))
    expect(await copied('Body')).toBe(capture.body.text)
    const lines = capture.headers.map((header: string[]) => header.join(': '))
    expect(await copied('Headers')).toBe(lines.join('\n'))
    expect(await copied('Id')).toBe(JSON.parse(capture.body.text).id)
    const verified = await startProgram(process.execPath, [COMMAND, 'verify', file], {
      env: {
        ...process.env,
        WEBHOOK_SECRET: (await readFile(join(folder, 'secret'), 'utf8')).trim(),
      },
    }).ended
    expect([verified.code, verified.stderr]).toEqual([0, ''])

    const test = await copied('vitest test')
    expect(test).toContain(`id": "${JSON.parse(capture.body.text).id}"`)
    expect(await runCopied(test, 204)).toMatchObject({ code: 0 })
    const failure = expect.stringContaining('expected 500 to be 204')
    expect(await runCopied(test, 500)).toMatchObject({ code: 1, stderr: failure })

    expect(problems).toEqual([])
  })

  it.each(['light', 'dark'] as const)(
    'has no barriers that axe finds, in the %s theme',
    async (colorScheme) => {
      const { page, problems } = tab
      await page.emulateMedia({ colorScheme })
      await page.getByRole('button', { name: 'New delivery' }).click()
      await expect.poll(() => page.getByLabel('Body').inputValue()).not.toBe('')
      expect(await barriers(page), 'new delivery').toEqual([])
      await page.getByRole('button', { name: 'Sign and send' }).click()
      await expect.poll(() => conclusion(page).textContent()).toContain('responded with 204')
      for (const name of ['Signature', 'Response', 'Request'] as const) {
        await showPart(page, name)
        expect(await barriers(page), name).toEqual([])
      }
      await page.getByRole('button', { name: 'As sent' }).click()
      expect(await barriers(page), 'as sent').toEqual([])
      await page.locator('summary', { hasText: 'Resend as' }).click()
      expect(await barriers(page), 'menu').toEqual([])
      await page.getByRole('button', { name: 'another secret' }).click()
      await expect.poll(() => conclusion(page).textContent()).toContain('Tampered with')
      await showPart(page, 'Signature')
      expect(await barriers(page), 'rejected').toEqual([])
      expect(problems).toEqual([])
    },
    120_000,
  )
})
