import { github } from '@webhook-receiver/schemes'
import { expect, it } from 'vitest'
import { recordedRequest } from '../services.ts'
import { serve, startInspector } from '../setup.ts'
import { openTab, withBrowser } from './browser.ts'

const { secret, request } = recordedRequest('github')

withBrowser('deliveries of another service', () => {
  it('are shown, resent and composed as the service signs', async () => {
    const got: (string | string[] | undefined)[] = []
    const receiver = await serve((req, res) => {
      got.push(req.headers['x-github-event'])
      req.resume().on('end', () => res.writeHead(204).end())
    })
    const { inspector, url } = await startInspector({ scheme: github })
    const target = inspector.addTarget({ id: 'it', url: receiver, secret })
    const { page, see, count, resend, ...tab } = await openTab(url)
    await inspector.received(request, target)
    await count(1)
    await tab.rows.first().click()
    await page.getByRole('heading', { name: 'push' }).waitFor()
    await see('The signature is valid.')
    await tab.part('Signature')
    await see('Grey is not signed')
    const texts = await page.locator('pre :is(.part, s)').allTextContents()
    expect(texts.map((text) => text.trim())).toEqual([
      ...[request.body.toString(), 'id: msg_2cVbUqcH1H8bGZV0XBmYz1', 'event: push'],
    ])
    await tab.hasNoBarriers()

    await resend('body changed')
    await see('Your server accepted it: tampered with (body changed).')
    await count(2)

    await resend('Edit and resend …')
    await page.getByLabel('Event').fill('ping')
    await page.getByLabel('Event').blur()
    await page.getByLabel('Body').fill('{"zen":"Keep it simple"}')
    await tab.hasNoBarriers()
    await tab.press('Sign and send')
    await page.getByRole('heading', { name: 'ping' }).waitFor()
    await see('The signature is valid. Your server responded with 204')
    expect(got).toEqual(['push', 'ping'])
  })
})
