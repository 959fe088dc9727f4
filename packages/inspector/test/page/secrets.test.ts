import { signDelivery } from '@webhook-receiver/core/testing'
import { expect, it } from 'vitest'
import { arrived, BODY, inspecting, SECRET } from '../setup.ts'
import { openTab, withBrowser } from './browser.ts'

withBrowser('several secrets', () => {
  it.each([
    ['one', SECRET, ['✓ The signature matches the secret OLD']],
    ['another', 'whsec_other', ['✗ The signature matches none of the secrets NEW, OLD']],
    ['no', undefined, ['✗ There is no signature']],
  ])('have one verdict for a signature with %s secret', async (_, signer, verdict) => {
    const { inspector, url, target } = await inspecting({
      secret: { NEW: 'whsec_fedcba9876543210fedcba9876543210', OLD: SECRET },
    })
    const signed = signer && (await signDelivery(signer, JSON.parse(BODY), {}))
    const headers = signed ? Object.entries(signed.headers) : []
    await inspector.received(arrived(signed ? signed.body : BODY, { headers }), target)
    const { page, ...tab } = await openTab(url)
    await tab.rows.first().click()
    await tab.part('Signature')
    await tab.see('Signatures as text')
    expect(await page.locator('p').filter({ hasText: /^[✓✗]/ }).allTextContents()).toEqual(verdict)
  })
})
