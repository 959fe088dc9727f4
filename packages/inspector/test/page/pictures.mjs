// Makes the pictures of the page in docs/images, in both themes, after a build: `npm --prefix packages/inspector run pictures`.

import { readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startProgram, stopPrograms } from '@webhook-receiver/checks/program.mjs'
import { webhookHandler } from '@webhook-receiver/node'
import { chromium } from 'playwright-core'

const ROOT = join(import.meta.dirname, '../../../..')
const SECRET_FILE = join(tmpdir(), `inspector-pictures-${process.pid}`)

let listener = (_req, res) => res.writeHead(503).end()
// Some work, so that the durations are not all the same.
const receiver = createServer((req, res) =>
  setTimeout(() => listener(req, res), 5 + 60 * Math.random() ** 3),
)
await new Promise((resolve) => receiver.listen(3000, '127.0.0.1', resolve))
const service = startProgram(process.execPath, [
  join(ROOT, 'packages/cli/bin/webhook-receiver.js'),
  ...['emulate', '--ui', '--forward', 'http://localhost:3000/webhooks', '--retries', '1'],
  ...['--secret-file', SECRET_FILE, '--rate', '20', '--count', '700', '--fault-rate', '0.2'],
  ...['--faults', 'alter,duplicate,stale,concurrent-duplicate'],
])
const url = await service.printed(/Inspector +(\S+)/)
await service.printed(/(Forwards to)/)
const secret = (await readFile(SECRET_FILE, 'utf8')).trim()
listener = webhookHandler(secret, () => {}, { onRejected: false })

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
})
const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
await page.goto(url)
// Enough for the bars above the list.
await page.getByRole('button', { name: /^All 7\d\d/ }).waitFor({ timeout: 120_000 })
const rows = page.getByRole('listbox', { name: 'Deliveries' }).getByRole('option')
await rows.filter({ hasText: 'message.received' }).first().click()
// The body as another serialiser writes it, with the signature of the first one.
await page.getByRole('button', { name: 'Other ways to resend' }).click()
await page.getByRole('menuitem', { name: 'Edit and resend …' }).click()
await page.getByLabel('Body').click()
await page.keyboard.press('Control+End')
await page.keyboard.press('Enter')
await page.getByLabel('sign with').uncheck()
await page.getByRole('button', { name: 'Send as it is' }).click()
await page.locator('.conclusion.right').waitFor()
await page.getByRole('tab', { name: 'Signature' }).click()
for (const colorScheme of ['light', 'dark']) {
  await page.emulateMedia({ colorScheme })
  await page.waitForTimeout(1500)
  await page.screenshot({ path: join(ROOT, `docs/images/inspector-${colorScheme}.png`) })
}
await browser.close()
await stopPrograms()
await rm(SECRET_FILE, { force: true })
receiver.close()
