import { createServer } from 'node:http'
import { freePorts } from '@webhook-receiver/checks/free-ports.mjs'
import { serving } from '@webhook-receiver/checks/serving.mjs'
import { createEmulator } from '@webhook-receiver/emulator'
import { createInspector, type Inspector } from '@webhook-receiver/inspector'
import { describe, expect, it, onTestFinished } from 'vitest'
import { arrived, SECRET, serve, startInspector } from '../setup.ts'
import {
  barriers,
  CHROMIUM,
  openTab,
  resend,
  rowsOf,
  shownCount,
  showPart,
  waitForCount,
} from './browser.ts'

const HOSTILE = [
  '<script>globalThis.pwned = 1</script>',
  '<img src=x onerror="globalThis.pwned = 1">',
  '"><svg onload=alert(1)>',
  "'-alert(1)-'",
  'javascript:alert(1)',
  '</script><iframe src="//evil.example/"></iframe>',
  '{{constructor.constructor("alert(1)")()}}',
  '\u202e\u0000\u001b[31m',
]

function body(text: string, id = 'd1'): string {
  const time = '2026-01-01T00:00:00.000Z'
  const data = { instance_id: text, event: text, data: { [text]: text }, timestamp: time }
  return JSON.stringify({ id, event: text, created_at: time, data })
}

function receive(inspector: Inspector, text: string): Promise<void> {
  const value = text.replace(/[^ -~]/g, '')
  const headers = ['X-Webhook-Id', 'X-Hostile'].map((name) => [name, value])
  return inspector.received(
    arrived(text, { target: `/${text}`, headers, status: 401 }),
    inspector.addTarget({ url: 'http://localhost:1/webhooks', secret: SECRET }),
  )
}

describe.skipIf(CHROMIUM === undefined)('what others sent', () => {
  it('is shown as text, wherever it stands', async () => {
    const target = await serve((req, res) =>
      req.resume().on('end', () => {
        res.writeHead(400, { 'Content-Type': 'text/html', 'X-Hostile': HOSTILE[1] })
        res.end(HOSTILE.join('\n'))
      }),
    )
    const { inspector, url } = await startInspector()
    for (const text of HOSTILE) await receive(inspector, body(text))
    inspector.addTarget({ id: 'it', url: target, secret: SECRET })
    const { page, problems } = await openTab(url)
    await waitForCount(page, HOSTILE.length)
    for (const [index, text] of HOSTILE.toReversed().entries()) {
      await rowsOf(page).nth(index).click()
      await showPart(page, 'Signature')
      await showPart(page, 'Request')
      await expect.poll(() => page.locator('pre').textContent()).toContain(JSON.stringify(text))
      await page.getByRole('button', { name: 'As sent' }).click()
    }
    await resend(page, 'Edit and resend …')
    await page.getByLabel('Receiver').selectOption('it')
    await expect.poll(() => page.getByLabel('Body').inputValue()).not.toBe('')
    await page.getByRole('button', { name: 'Sign and send' }).click()
    await showPart(page, 'Response')
    await expect.poll(() => page.locator('pre').textContent()).toContain('<iframe')
    expect(await page.evaluate(() => Reflect.get(globalThis, 'pwned'))).toBeUndefined()
    expect(await page.locator('main iframe, main img, .pane svg, .rows svg').count()).toBe(0)
    expect(problems).toEqual([])
  })

  it('may be 1 MiB, also nothing but brackets: text and JSON stay usable', async () => {
    const { inspector, url } = await startInspector()
    const large = JSON.stringify({ id: 'large', list: Array(100_000).fill(12_345_678) })
    await receive(inspector, large)
    await receive(inspector, `${'['.repeat(100_000)}${']'.repeat(100_000)}`)
    await receive(inspector, 'x'.repeat(1_048_576))
    const { page, problems } = await openTab(url)
    await waitForCount(page, 3)
    await rowsOf(page).first().click()
    // What is not signed opens at its signature.
    await showPart(page, 'Request')
    await page.getByRole('button', { name: /Show the other/ }).click()
    await expect.poll(async () => (await page.locator('pre').textContent())?.length).toBe(1_048_576)
    await rowsOf(page).nth(1).click()
    await page.getByRole('button', { name: 'JSON' }).waitFor()
    await rowsOf(page).nth(2).click()
    await page.locator('.key', { hasText: '"list"' }).waitFor()
    expect((await page.locator('pre').textContent())?.length).toBe(100_000)
    expect(problems).toEqual([])
  })
})

describe.skipIf(CHROMIUM === undefined)('the list', () => {
  it('keeps few of 10,000 deliveries in the document, goes to both ends by key, and filters', async () => {
    const { inspector, url } = await startInspector()
    for (let n = 0; n < 10_000; n++) await receive(inspector, body('message.read', `id-${n}`))
    const { page, problems } = await openTab(url)
    await waitForCount(page, 10_000)
    expect(await rowsOf(page).count()).toBeLessThan(100)
    // Nothing has to be clicked first.
    await page.keyboard.press('End')
    await page.locator('#delivery-1[aria-selected=true]').waitFor()
    await page.keyboard.press('Home')
    await page.locator('#delivery-10000[aria-selected=true]').waitFor()
    await page.keyboard.press('j')
    await page.locator('#delivery-9999[aria-selected=true]').waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('/')
    await page.keyboard.type('id-77')
    // The header X-Webhook-Id is the whole text; the id of the list is that of the body.
    await expect.poll(() => shownCount(page)).toBe(111)
    expect(problems).toEqual([])
  })

  it('holds still where somebody reads, and says how many came', async () => {
    const { inspector, url } = await startInspector()
    for (let n = 0; n < 100; n++) await receive(inspector, body('message.read'))
    const { page } = await openTab(url)
    await waitForCount(page, 100)
    await page.locator('#delivery-95').click()
    const place = () => page.locator('#delivery-95').boundingBox()
    const before = await place()
    for (let n = 0; n < 42; n++) await receive(inspector, body('message.sent'))
    await page.getByRole('button', { name: '42 new' }).waitFor()
    expect(await place()).toEqual(before)
    await page.getByRole('button', { name: '42 new' }).click()
    await page.locator('#delivery-142').waitFor()
    await expect.poll(() => page.getByRole('button', { name: '42 new' }).count()).toBe(0)
  })

  it('is where it was after a reload: delivery, tab, search and filter; Esc gives the focus back', async () => {
    const { inspector, url } = await startInspector()
    await receive(inspector, body('message.read', 'haystack'))
    await receive(inspector, body('message.read', 'needle-id'))
    const { page, problems } = await openTab(url)
    await waitForCount(page, 2)
    await page.getByLabel('Search').fill('needle')
    await page.getByRole('button', { name: /^Problems/ }).click()
    await waitForCount(page, 1)
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await showPart(page, 'Signature')
    expect(new URL(page.url()).hash).toBe('#n=2&tab=Signature&text=needle&show=bad')
    await page.reload()
    await waitForCount(page, 1)
    await page.getByRole('button', { name: 'Signature', pressed: true, exact: true }).waitFor()
    // A menu is closed before the delivery is.
    const menu = page.locator('summary', { hasText: 'Copy' })
    await menu.focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await page.getByRole('button', { name: 'Id', exact: true }).waitFor()
    await page.keyboard.press('Escape')
    expect(await page.getByRole('button', { name: 'Id', exact: true }).count()).toBe(0)
    expect(await menu.evaluate((element) => element === document.activeElement)).toBe(true)
    await page.keyboard.press('Escape')
    expect(await page.evaluate(() => document.activeElement?.className)).toBe('rows')
    expect(await page.locator('.pane').count()).toBe(0)
    await page.keyboard.press('/')
    await page.keyboard.press('Escape')
    await waitForCount(page, 2)
    expect(await page.getByLabel('Search').inputValue()).toBe('')
    await page.keyboard.press('?')
    await page.getByRole('heading', { name: 'Keys' }).waitFor()
    expect(await barriers(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('heading', { name: 'Keys' }).waitFor({ state: 'hidden' })
    expect(problems).toEqual([])
  })

  it('or a delivery fills a phone, without barriers', async () => {
    const { inspector, url } = await startInspector()
    const { page, problems } = await openTab(url, { viewport: { width: 390, height: 780 } })
    await page.getByText('No webhook yet').waitFor()
    await receive(inspector, body('message.read'))
    await waitForCount(page, 1)
    expect(await barriers(page), 'list').toEqual([])
    await rowsOf(page).first().click()
    await page.locator('.conclusion').waitFor()
    expect(await page.locator('.list').isVisible()).toBe(false)
    expect(await barriers(page), 'delivery').toEqual([])
    await page.getByRole('button', { name: 'All deliveries' }).click()
    expect(await page.locator('.list').isVisible()).toBe(true)
    expect(problems).toEqual([])
  })

  it('deletes all once the question is accepted', async () => {
    const { inspector, url } = await startInspector()
    const { page, problems } = await openTab(url)
    const deleteAll = async (choice: boolean) => {
      // A dialog of the browser would count as a problem.
      const asked = await page.evaluateHandle((given) => {
        const questions: unknown[] = []
        Reflect.set(globalThis, 'confirm', (question: unknown) => questions.push(question) && given)
        return questions
      }, choice)
      await page.getByRole('button', { name: 'Delete all' }).click()
      return asked.jsonValue()
    }
    await receive(inspector, body('message.read'))
    await waitForCount(page, 1)
    expect(await deleteAll(false)).toEqual(['Delete the 1 delivery? This cannot be undone.'])
    await receive(inspector, body('message.read'))
    await waitForCount(page, 2)
    await rowsOf(page).first().click()
    await page.locator('.conclusion').waitFor()
    expect(await deleteAll(true)).toEqual(['Delete all 2 deliveries? This cannot be undone.'])
    await expect.poll(() => rowsOf(page).count()).toBe(0)
    await expect.poll(() => page.locator('.pane').count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Delete all' }).isDisabled()).toBe(true)
    expect(problems).toEqual([])
  })

  it('survives a lost connection: nothing is lost, nothing comes twice', async () => {
    const inspector = createInspector()
    onTestFinished(() => inspector.stop())
    const server = createServer(inspector.handler)
    const { page } = await openTab((await serving(server)) + inspector.path)
    await page.getByText('live', { exact: true }).waitFor()
    for (let round = 1; round <= 5; round++) {
      await receive(inspector, body('message.read', `before-${round}`))
      server.closeAllConnections()
      await receive(inspector, body('message.read', `after-${round}`))
      await waitForCount(page, round * 2)
    }
    const ids = await rowsOf(page).evaluateAll((rows) => rows.map(({ id }) => id))
    expect(ids).toEqual(Array.from({ length: 10 }, (_, index) => `delivery-${10 - index}`))
  })

  it.each([1440, 390])(
    'says at a width of %i pixels that the command has stopped',
    async (width) => {
      const command = 'npx webhook-receiver listen --ui'
      const { inspector, url } = await startInspector({ command })
      const { page } = await openTab(url, { viewport: { width, height: 700 } })
      await receive(inspector, body('message.read'))
      await waitForCount(page, 1)
      await inspector.stop()
      const bar = page.getByRole('alert')
      await bar.waitFor()
      expect(await bar.textContent()).toContain('The command has stopped')
      expect(await bar.textContent()).toContain(command)
      for (const name of ['New delivery', 'Delete all'])
        expect(await page.getByRole('button', { name }).isDisabled(), name).toBe(true)
      expect(await rowsOf(page).first().isVisible()).toBe(true)
      expect(await barriers(page)).toEqual([])
    },
  )

  it('is before the first delivery what there is to do, and says when the server is there', async () => {
    const { inspector, url } = await startInspector()
    const emulator = createEmulator()
    inspector.watch(emulator)
    const [port = 0] = await freePorts(1)
    const start = 'export WEBHOOK_SECRET="$(cat secret)"'
    inspector.addTarget({ url: `http://localhost:${port}/webhooks`, secret: SECRET, start })
    const { page, problems } = await openTab(url)
    await page.getByText('The emulator runs.').waitFor()
    await page.getByText('Your server does not respond yet').waitFor()
    await page.getByRole('button', { name: 'Copy' }).click()
    await page.getByText('Copied').waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(start)
    expect(await barriers(page)).toEqual([])
    const server = createServer((req, res) =>
      req.resume().on('end', () => res.writeHead(204).end()),
    )
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', () => resolve()))
    onTestFinished(() => void server.close())
    await page.getByText('Your server responds at').waitFor()
    await page.getByRole('button', { name: 'Send a test delivery' }).click()
    await page.getByText('The signature is valid. Your server responded with 204').waitFor()
    expect(problems).toEqual([])
  })
})
