import { github } from '@webhook-receiver/schemes'
import { describe, expect, it } from 'vitest'
import { recordedRequest } from '../services.ts'
import { serve, startInspector } from '../setup.ts'
import { barriers, CHROMIUM, closeTab, openTab, resend, rowsOf, waitForCount } from './browser.ts'

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
    await page.getByText('the listen command accepted it').waitFor()
    await page.getByRole('tab', { name: 'Signature' }).click()
    await page.getByText('The signature does not cover: id, event.').waitFor()
    expect(await barriers(page)).toEqual([])

    await resend(page, 'Change the body after signing')
    await page
      .getByText('You changed the body after signing, and your server accepted it.')
      .waitFor()
    await waitForCount(page, 2)

    await resend(page, 'Edit and resend …')
    await page.getByRole('textbox', { name: 'Event' }).fill('ping')
    await page.getByRole('textbox', { name: 'Event' }).blur()
    await page.getByLabel('Body').fill('{"zen":"Keep it simple"}')
    expect(await barriers(page)).toEqual([])
    await page.getByRole('button', { name: 'Sign and send' }).click()
    await page.getByRole('heading', { name: 'ping' }).waitFor()
    await page.getByText('Verified, and your server accepted it.').waitFor()
    expect(got).toEqual(['push', 'ping'])
    expect(problems).toEqual([])
    await closeTab({ page })
  })
})
