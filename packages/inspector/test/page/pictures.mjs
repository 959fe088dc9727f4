// Makes the pictures of the page in docs/images, in light and dark, after a build: `npm --prefix packages/inspector run pictures`.

import { createHmac, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startProgram, stopPrograms } from '@webhook-receiver/checks/program.mjs'
import { chromium } from 'playwright-core'

const ROOT = join(import.meta.dirname, '../../../..')
const SECRET = 'whsec_only_for_pictures'
const TARGET = 'http://localhost:3000/'

const service = startProgram(
  process.execPath,
  [
    join(ROOT, 'packages/cli/bin/webhook-receiver.js'),
    ...['listen', '--scheme', 'stripe', '--port', '3000', '--ui'],
  ],
  { env: { ...process.env, WEBHOOK_SECRET: SECRET } },
)
const url = await service.printed(/Inspector +(\S+)/)

/** Sends a delivery as Stripe does, with the signature of `signed`. */
async function deliver(sent, signed = sent) {
  const time = Math.floor(Date.now() / 1000)
  const mac = createHmac('sha256', SECRET).update(`${time}.${signed}`).digest('hex')
  await fetch(TARGET, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      'Stripe-Signature': `t=${time},v1=${mac}`,
    },
    body: sent,
  })
  // Events do not come all at once.
  await new Promise((resolve) => setTimeout(resolve, 60 + 200 * Math.random()))
}

const { samples } = JSON.parse(
  await readFile(join(ROOT, 'packages/schemes/services/stripe.json'), 'utf8'),
)
const events = Object.entries(samples).map(([type, { body }]) => () => ({
  id: `evt_${randomBytes(9).toString('hex')}`,
  type,
  ...body,
}))
for (let n = 0; n < 16; n++) await deliver(JSON.stringify(events[n % events.length]()))
// A proxy that parses the body and writes it again, with other white space.
const parsed = events[0]()
await deliver(JSON.stringify(parsed, null, 1), JSON.stringify(parsed))
await deliver(JSON.stringify(events[1]()))

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
})
const page = await browser.newPage({ viewport: { width: 1200, height: 720 } })
await page.goto(url)
const rows = page.getByRole('listbox', { name: 'Deliveries' }).getByRole('option')
for (const way of ['too old', 'another secret', 'body changed']) {
  await rows.first().click()
  await page.locator('summary', { hasText: 'Resend as' }).click()
  await page.getByRole('button', { name: way, exact: true }).click()
  await page.getByText(`Tampered with (${way})`).waitFor()
}
await rows.filter({ hasText: 'body written again' }).click()
await page.locator('.conclusion.bad').waitFor()
await page.getByRole('button', { name: 'Signature', exact: true }).click()
await page.waitForTimeout(1500)
for (const colorScheme of ['light', 'dark']) {
  await page.emulateMedia({ colorScheme })
  await page.waitForTimeout(500)
  await page.screenshot({ path: join(ROOT, `docs/images/inspector-${colorScheme}.png`) })
}
await browser.close()
await stopPrograms()
