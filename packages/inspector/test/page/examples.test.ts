import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startExample } from '@webhook-receiver/checks/example.mjs'
import { freePorts } from '@webhook-receiver/checks/free-ports.mjs'
import { startProgram, stopPrograms } from '@webhook-receiver/checks/program.mjs'
import { EVENTS } from '@webhook-receiver/core'
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest'
import { openTab, type Tab, withBrowser } from './browser.ts'

const ROOT = new URL('../../../../', import.meta.url).pathname
const COMMAND = new URL('../../../cli/bin/webhook-receiver.js', import.meta.url).pathname

afterAll(() => stopPrograms('SIGKILL'))

/** Runs a copied test beside an application that responds with `status` to a valid delivery. */
async function runCopied(test: string, status: number) {
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

const CONCLUSION = '.conclusion >> nth=0'

// On the wire, the examples of all frameworks do the same.
withBrowser('with the Express example', () => {
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
    // Or the page would complain that the command is gone.
    await tab.page.close()
    await stopPrograms()
    await rm(folder, { recursive: true, force: true })
  })

  it('sends each event, again, signed again, tampered, edited and ten times at once', async () => {
    const { page, press, rows, resend, holds } = tab
    const first = rows.first()
    const pane = page.locator('.pane')
    let count = 0
    /** Waits for the delivery that is opened to be the newest, and for its response. */
    const opened = async (status: string) => {
      await tab.count(++count)
      await expect.poll(() => first.getAttribute('aria-selected')).toBe('true')
      await expect.poll(() => first.locator('.pill').textContent()).toBe(status)
    }
    for (const event of EVENTS) {
      await press('New delivery')
      await page.getByLabel('Receiver').waitFor()
      await pane.getByLabel('Event').fill(event)
      await pane.getByLabel('Event').blur()
      await tab.bodyHolds(`"event": "${event}"`)
      await press('Sign and send')
      await opened('204')
      await holds(CONCLUSION, 'The signature is valid. Your server responded with 204 in')
      expect(await first.textContent()).toContain(event)
    }
    expect(handled()).toHaveLength(EVENTS.length)

    await resend('Resend the same bytes and signature')
    await opened('204')
    await press('Resend', true)
    await opened('204')

    await resend('too old')
    await opened('401')
    await holds(CONCLUSION, 'Tampered with (too old); your server rejected it, as it should.')
    expect(await first.textContent()).toContain('✓ rejected: too old')

    await rows.nth(2).click()
    await resend('Edit and resend …')
    await page.getByLabel('Body').click()
    await tab.keys('Control+Home')
    await page.keyboard.type('  ')
    await page.getByLabel('Sign with').uncheck()
    await press('Send as it is')
    await opened('401')
    await holds(CONCLUSION, 'Tampered with (edited, not signed again)')
    await tab.part('Signature')
    const shown = await pane.textContent()
    expect(shown).toContain('✗ The signature does not match what arrived')
    expect(shown).toContain('timestamp, then “.”, then body, byte for byte.')
    const colours = await page
      .locator('pre .part')
      .evaluateAll((parts) => parts.map((part) => getComputedStyle(part).backgroundColor))
    // What is the same in every request is in the colour of no part, and not in that of a mistake.
    expect(colours[1]).toBe('rgb(236, 236, 240)')
    expect(new Set(colours).size).toBe(3)

    await rows.nth(3).click()
    await resend('Resend 10 at once')
    await tab.count(++count)
    const done = page.getByRole('list', { name: 'Attempts' }).locator('.pill:not(.pending)')
    await expect.poll(() => done.count()).toBe(10)
    // Copies, and what was rejected, ran nothing.
    expect(handled()).toHaveLength(EVENTS.length)
  })

  it('copies the id, the headers, the body and a test of a delivery, and saves it as a capture', async () => {
    const { page, press, menu } = tab
    await press('New delivery')
    await tab.bodyHolds('"id"')
    await press('Sign and send')
    await tab.holds('.row .pill', '204')
    const copied = async (name: string) => {
      await menu('Copy')
      await press(name, true)
      await tab.see(`Copied: ${name}`)
      return page.evaluate(() => navigator.clipboard.readText())
    }
    const saving = page.waitForEvent('download')
    await menu('Copy')
    await press('Save as a capture')
    const file = await (await saving).path()
    const { headers, body } = JSON.parse(await readFile(file, 'utf8'))
    const { id } = JSON.parse(body.text)
    expect(await copied('Body')).toBe(body.text)
    const lines = headers.map((header: string[]) => header.join(': '))
    expect(await copied('Headers')).toBe(lines.join('\n'))
    expect(await copied('Id')).toBe(id)
    const WEBHOOK_SECRET = (await readFile(join(folder, 'secret'), 'utf8')).trim()
    const env = { ...process.env, WEBHOOK_SECRET }
    const verified = await startProgram(process.execPath, [COMMAND, 'verify', file], { env }).ended
    expect([verified.code, verified.stderr]).toEqual([0, ''])

    const test = await copied('vitest test')
    expect(test).toContain(`id": "${id}"`)
    expect(await runCopied(test, 204)).toMatchObject({ code: 0 })
    const failure = expect.stringContaining('expected 500 to be 204')
    expect(await runCopied(test, 500)).toMatchObject({ code: 1, stderr: failure })
  })

  it.each(['light', 'dark'] as const)(
    'has no barriers that axe finds, in the %s theme',
    async (colorScheme) => {
      const { page, press, holds, part, hasNoBarriers } = tab
      await page.emulateMedia({ colorScheme })
      await press('New delivery')
      await tab.bodyHolds('{')
      await hasNoBarriers('new delivery')
      await press('Sign and send')
      await holds(CONCLUSION, 'responded with 204')
      for (const name of ['Signature', 'Response', 'Request'] as const) {
        await part(name)
        await hasNoBarriers(name)
      }
      await press('As sent')
      await hasNoBarriers('as sent')
      await tab.menu('Resend as')
      await hasNoBarriers('menu')
      await press('another secret')
      await holds(CONCLUSION, 'Tampered with')
      await part('Signature')
      await hasNoBarriers('rejected')
    },
    120_000,
  )
})
