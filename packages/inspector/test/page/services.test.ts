import { github } from '@webhook-receiver/schemes'
import { describe, expect, it } from 'vitest'
import { recordedRequest } from '../services.ts'
import { serve, startInspector } from '../setup.ts'
import { barriers, CHROMIUM, openTab, resend, rowsOf, showPart, waitForCount } from './browser.ts'

const { secret, request } = recordedRequest('github')

describe.skipIf(CHROMIUM === undefined)('deliveries of another service', () => {
  it('are shown, resent and composed as the service signs', async () => {
    const got: (string | string[] | undefined)[] = []
    const receiver = await serve((req, res) => {
      got.push(req.headers['x-github-event'])
      req.resume().on('end', () => res.writeHead(204).end())
    })
    const { inspector, url } = await startInspector({ scheme: github })
    const target = inspector.addTarget({ id: 'it', url: receiver, secret })
    const { page, problems } = await openTab(url)
    await inspector.received(request, target)
    await waitForCount(page, 1)
    await rowsOf(page).first().click()
    const heading = page.getByRole('heading', { name: 'push' })
    await heading.waitFor()
    await page.getByText('The signature is valid.').waitFor()
    await showPart(page, 'Signature')
    await page.getByText('Grey is not signed').waitFor()
    const texts = await page.locator('pre :is(.part, s)').allTextContents()
    expect(texts.map((text) => text.trim())).toEqual([
      ...[request.body.toString(), 'id: msg_2cVbUqcH1H8bGZV0XBmYz1', 'event: push'],
    ])
    expect(await barriers(page)).toEqual([])

    await resend(page, 'body changed')
    await page.getByText('Your server accepted it: tampered with (body changed).').waitFor()
    await waitForCount(page, 2)

    await resend(page, 'Edit and resend …')
    await page.getByLabel('Event').fill('ping')
    await page.getByLabel('Event').blur()
    await page.getByLabel('Body').fill('{"zen":"Keep it simple"}')
    expect(await barriers(page)).toEqual([])
    await page.getByRole('button', { name: 'Sign and send' }).click()
    await page.getByRole('heading', { name: 'ping' }).waitFor()
    await page.getByText('The signature is valid. Your server responded with 204').waitFor()
    expect(got).toEqual(['push', 'ping'])
    expect(problems).toEqual([])
  })
})
