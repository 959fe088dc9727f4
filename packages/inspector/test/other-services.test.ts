import { clerk, github, stripe } from '@webhook-receiver/schemes'
import { expect, it } from 'vitest'
import { otherServices } from '../src/other-services.ts'

const GITHUB = { 'X-Hub-Signature-256': 'sha256=0', 'X-GitHub-Event': 'push' }

it.each([
  [GITHUB, stripe, ['github']],
  [{ 'X-Hub-Signature-256': 'sha256=0' }, stripe, ['github', 'meta']],
  [{ 'X-Hub-Signature-256': 'sha256=0' }, github, []],

  // Clerk, Resend and Svix sign alike: with a wrong secret, it is not said to be of another one.
  [{ 'Svix-Signature': 'v1,0', 'Svix-Id': '1' }, clerk, []],
  [{ 'X-Amz-SNS-Message-Type': 'Notification' }, stripe, ['aws-sns']],
  [{ 'X-Webhook-Signature': 'sha256=0' }, stripe, ['contract']],
  [{ 'X-Other': '1' }, stripe, []],
])('recognises the service of %j', async (headers, scheme, names) => {
  const found = await otherServices(Object.entries(headers), scheme)
  expect(found.map(({ name }) => name)).toEqual(names)
})
