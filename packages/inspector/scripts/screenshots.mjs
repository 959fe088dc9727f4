// Makes the pictures of the page in the documentation, in both themes: `npm --prefix packages/inspector run screenshots`.
// A receiver of its own answers what the emulator sends. Needs Chromium.
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { EVENTS } from '@webhook-receiver/core'
import { createEmulator } from '@webhook-receiver/emulator'
import { createInspector } from '@webhook-receiver/inspector'
import { webhookListener } from '@webhook-receiver/node'
import { chromium } from 'playwright-core'
import { withPalette } from './palette-png.mjs'

const IMAGES = join(import.meta.dirname, '../../../docs/images')

let secret
let listener = (_req, res) => res.writeHead(503).end()
const receiver = createServer((req, res) =>
  // Some work, so that the durations are not all the same.
  setTimeout(() => listener(req, res), 5 + 60 * Math.random() ** 3),
)
await new Promise((resolve) => receiver.listen(3000, '127.0.0.1', resolve))

const inspector = createInspector()
const emulator = createEmulator({
  retries: [1],
  onRegistered(webhook) {
    secret = webhook.secret
    inspector.addTarget(webhook)
  },
})
inspector.watch(emulator)
await emulator.start()
emulator.register({
  url: 'http://localhost:3000/webhooks',
  events: [...EVENTS],
})
listener = webhookListener(secret, () => {}, { onRejected: false })
const url = await inspector.start()

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
})
const faults = ['alter', 'duplicate', 'stale', 'concurrent-duplicate']
const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
const page = await context.newPage()
await page.goto(url)
// Enough for a line in the charts, at a rate that changes.
for (const rate of [6, 14, 9, 16, 11]) {
  await inspector.runScenario({ rate, count: rate * 12, faults, faultRate: 0.2 })
}
const rows = page.getByRole('listbox', { name: 'Deliveries' }).getByRole('option')
await rows.filter({ hasText: 'message.received' }).first().click()
// The body as another serialiser writes it, with the signature of the first one.
await page.getByRole('button', { name: 'Edit …' }).click()
await page.locator('.cm-content').click()
await page.keyboard.press('Control+End')
await page.keyboard.press('Enter')
await page.getByLabel('sign with').uncheck()
await page.getByRole('button', { name: 'Send as it is' }).click()
await page.locator('.finding').first().waitFor()
await page.getByRole('tab', { name: 'Signature' }).click()

for (const colorScheme of ['light', 'dark']) {
  await page.emulateMedia({ colorScheme })
  // The charts read their colours when they draw.
  await page.waitForTimeout(1500)
  const picture = withPalette(await page.screenshot())
  writeFileSync(join(IMAGES, `inspector-${colorScheme}.png`), picture)
}
await browser.close()
await inspector.stop()
await emulator.stop()
receiver.close()
