import { createServer } from 'node:http'
import { freePorts } from '@webhook-receiver/checks/free-ports.mjs'
import { serving } from '@webhook-receiver/checks/serving.mjs'
import { createEmulator } from '@webhook-receiver/emulator'
import { createInspector, type Inspector } from '@webhook-receiver/inspector'
import { expect, it, onTestFinished } from 'vitest'
import { arrived, SECRET, serve, startInspector } from '../setup.ts'
import { openTab, withBrowser } from './browser.ts'

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

function body(text = 'message.read', id = 'd1') {
  const time = '2026-01-01T00:00:00.000Z'
  const data = { instance_id: text, event: text, data: { [text]: text }, timestamp: time }
  return JSON.stringify({ id, event: text, created_at: time, data })
}

function receive(inspector: Inspector, text = body()) {
  const value = text.replace(/[^ -~]/g, '')
  const headers = ['X-Webhook-Id', 'X-Hostile'].map((name) => [name, value])
  return inspector.received(
    arrived(text, { target: `/${text}`, headers, status: 401 }),
    inspector.addTarget({ url: 'http://localhost:1/webhooks', secret: SECRET }),
  )
}

/** A page that shows these bodies. */
async function showing(bodies: readonly string[], options = {}) {
  const { inspector, url } = await startInspector()
  for (const text of bodies) await receive(inspector, text)
  const tab = await openTab(url, options)
  await tab.count(bodies.length)
  return { inspector, ...tab }
}

withBrowser('what others sent', () => {
  it('is shown as text, wherever it stands', async () => {
    const target = await serve((req, res) =>
      req.resume().on('end', () => {
        res.writeHead(400, { 'Content-Type': 'text/html', 'X-Hostile': HOSTILE[1] })
        res.end(HOSTILE.join('\n'))
      }),
    )
    const { inspector, page, press, rows, part, holds, ...tab } = await showing(
      HOSTILE.map((text) => body(text)),
    )
    inspector.addTarget({ id: 'it', url: target, secret: SECRET })
    for (const [index, text] of HOSTILE.toReversed().entries()) {
      await rows.nth(index).click()
      await part('Signature')
      await part('Request')
      await holds('pre', JSON.stringify(text))
      await press('As sent')
    }
    await tab.resend('Edit and resend …')
    await page.getByLabel('Receiver').selectOption('it')
    await tab.bodyHolds('{')
    await press('Sign and send')
    await part('Response')
    await holds('pre', '<iframe')
    expect(await page.evaluate(() => Reflect.get(globalThis, 'pwned'))).toBeUndefined()
    expect(await page.locator('main iframe, main img, .pane svg, .rows svg').count()).toBe(0)
  })

  it('may be 1 MiB, also nothing but brackets: text and JSON stay usable', async () => {
    const { page, rows, part, press, button } = await showing([
      JSON.stringify({ id: 'large', list: Array(100_000).fill(12_345_678) }),
      `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
      'x'.repeat(1_048_576),
    ])
    const length = async () => (await page.locator('pre').textContent())?.length
    await rows.first().click()
    // What is not signed opens at its signature.
    await part('Request')
    await press(/Show the other/)
    await expect.poll(length).toBe(1_048_576)
    await rows.nth(1).click()
    await button('JSON').waitFor()
    await rows.nth(2).click()
    await page.locator('.key', { hasText: '"list"' }).waitFor()
    expect(await length()).toBe(100_000)
  })
})

withBrowser('the list', () => {
  it('keeps few of 10,000 deliveries in the document, goes to both ends by key, and filters', async () => {
    const { page, rows, keys, count } = await showing(
      Array.from({ length: 10_000 }, (_, n) => body('message.read', `id-${n}`)),
    )
    expect(await rows.count()).toBeLessThan(100)
    // Nothing has to be clicked first.
    for (const [key, n] of Object.entries({ End: 1, Home: 10_000, j: 9999 })) {
      await keys(key)
      await page.locator(`#delivery-${n}[aria-selected=true]`).waitFor()
    }
    await keys('Escape', '/')
    await page.keyboard.type('id-77')
    // The header X-Webhook-Id is the whole text; the id of the list is that of the body.
    await count(111)
  })

  it('holds still where somebody reads, and says how many came', async () => {
    const { inspector, page, button, press } = await showing(Array(100).fill(body()))
    await page.locator('#delivery-95').click()
    const place = () => page.locator('#delivery-95').boundingBox()
    const before = await place()
    for (let n = 0; n < 42; n++) await receive(inspector, body('message.sent'))
    await button('42 new').waitFor()
    expect(await place()).toEqual(before)
    await press('42 new')
    await page.locator('#delivery-142').waitFor()
    await expect.poll(() => button('42 new').count()).toBe(0)
  })

  it('is where it was after a reload: delivery, tab, search and filter; Esc gives the focus back', async () => {
    const { page, press, keys, part, count, ...tab } = await showing(
      ['haystack', 'needle-id'].map((id) => body('message.read', id)),
    )
    await page.getByLabel('Search').fill('needle')
    await press(/^Problems/)
    await count(1)
    await keys('j', 'Enter')
    await part('Signature')
    expect(new URL(page.url()).hash).toBe('#n=2&tab=Signature&text=needle&show=bad')
    await page.reload()
    await count(1)
    await page.getByRole('button', { name: 'Signature', pressed: true, exact: true }).waitFor()
    // A menu is closed before the delivery is.
    const menu = page.locator('summary', { hasText: 'Copy' })
    await menu.focus()
    await keys('Enter', 'Tab')
    await tab.button('Id', true).waitFor()
    await keys('Escape')
    expect(await tab.button('Id', true).count()).toBe(0)
    expect(await menu.evaluate((element) => element === document.activeElement)).toBe(true)
    await keys('Escape')
    expect(await page.evaluate(() => document.activeElement?.className)).toBe('rows')
    expect(await page.locator('.pane').count()).toBe(0)
    await keys('/', 'Escape')
    await count(2)
    expect(await page.getByLabel('Search').inputValue()).toBe('')
    await keys('?')
    const help = page.getByRole('heading', { name: 'Keys' })
    await help.waitFor()
    await tab.hasNoBarriers()
    await keys('Escape')
    await help.waitFor({ state: 'hidden' })
  })

  it('or a delivery fills a phone, without barriers', async () => {
    const viewport = { width: 390, height: 780 }
    const { inspector, page, rows, ...tab } = await showing([], { viewport })
    const isListed = () => page.locator('.list').isVisible()
    await tab.see('No webhook yet')
    await receive(inspector)
    await tab.count(1)
    await tab.hasNoBarriers('list')
    await rows.first().click()
    await page.locator('.conclusion').waitFor()
    expect(await isListed()).toBe(false)
    await tab.hasNoBarriers('delivery')
    await tab.press('All deliveries')
    expect(await isListed()).toBe(true)
  })

  it('deletes all once the question is accepted', async () => {
    const { inspector, page, rows, count, ...tab } = await showing([body()])
    const deleteAll = async (choice: boolean) => {
      // A dialog of the browser would count as a problem.
      const asked = await page.evaluateHandle((given) => {
        const questions: unknown[] = []
        Reflect.set(globalThis, 'confirm', (question: unknown) => questions.push(question) && given)
        return questions
      }, choice)
      await tab.press('Delete all')
      return asked.jsonValue()
    }
    expect(await deleteAll(false)).toEqual(['Delete the 1 delivery? This cannot be undone.'])
    await receive(inspector)
    await count(2)
    await rows.first().click()
    await page.locator('.conclusion').waitFor()
    expect(await deleteAll(true)).toEqual(['Delete all 2 deliveries? This cannot be undone.'])
    await expect.poll(() => rows.count()).toBe(0)
    await expect.poll(() => page.locator('.pane').count()).toBe(0)
    expect(await tab.button('Delete all').isDisabled()).toBe(true)
  })

  it('survives a lost connection: nothing is lost, nothing comes twice', async () => {
    const inspector = createInspector()
    onTestFinished(() => inspector.stop())
    const server = createServer(inspector.handler)
    const address = (await serving(server)) + inspector.path
    const { page, rows, count } = await openTab(address, { expects: /./ })
    await page.getByText('live', { exact: true }).waitFor()
    for (let round = 1; round <= 5; round++) {
      await receive(inspector, body('message.read', `before-${round}`))
      server.closeAllConnections()
      await receive(inspector, body('message.read', `after-${round}`))
      await count(round * 2)
    }
    const ids = await rows.evaluateAll((all) => all.map(({ id }) => id))
    expect(ids).toEqual(Array.from({ length: 10 }, (_, index) => `delivery-${10 - index}`))
  })

  it.each([1440, 390])(
    'says at a width of %i pixels that the command has stopped',
    async (width) => {
      const command = 'npx webhook-receiver listen --ui'
      const { inspector, url } = await startInspector({ command })
      const options = { viewport: { width, height: 700 }, expects: /./ }
      const { page, button, rows, count, ...tab } = await openTab(url, options)
      await receive(inspector)
      await count(1)
      await inspector.stop()
      const bar = page.getByRole('alert')
      await bar.waitFor()
      for (const text of ['The command has stopped', command])
        expect(await bar.textContent()).toContain(text)
      for (const name of ['New delivery', 'Delete all'])
        expect(await button(name).isDisabled(), name).toBe(true)
      expect(await rows.first().isVisible()).toBe(true)
      await tab.hasNoBarriers()
    },
  )

  it('is before the first delivery what there is to do, and says when the server is there', async () => {
    const { inspector, url } = await startInspector()
    const emulator = createEmulator()
    inspector.watch(emulator)
    const [port = 0] = await freePorts(1)
    const start = 'export WEBHOOK_SECRET="$(cat secret)"'
    inspector.addTarget({ url: `http://localhost:${port}/webhooks`, secret: SECRET, start })
    const { page, see, press, hasNoBarriers } = await openTab(url)
    await see('The emulator runs.')
    await see('Your server does not respond yet')
    await press('Copy')
    await see('Copied')
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(start)
    await hasNoBarriers()
    const server = createServer((req, res) =>
      req.resume().on('end', () => res.writeHead(204).end()),
    )
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', () => resolve()))
    onTestFinished(() => void server.close())
    await see('Your server responds at')
    await press('Send a test delivery')
    await see('The signature is valid. Your server responded with 204')
  })
})
