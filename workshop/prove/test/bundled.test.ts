import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const PROGRAM = `
import { createHmac } from 'node:crypto'
import { createReceiver } from '@webhook-receiver/core'
import { twilio } from '@webhook-receiver/schemes'

const publicUrl = 'https://example.com/sms?shop=%ff'
const receiver = createReceiver('token', { scheme: twilio, publicUrl, onRejected: false })
const signature = createHmac('sha1', 'token').update(publicUrl + 'a1').digest('base64')
for (const query of ['%ff', '%fe']) {
  const request = new Request('http://10.0.0.1/sms?shop=' + query, {
    method: 'POST',
    headers: { 'x-twilio-signature': signature, 'content-type': 'application/x-www-form-urlencoded' },
    body: 'a=1',
  })
  const reason = await receiver.receiveRequest(request).then(() => 'verified', (error) => error.reason)
  console.log(reason)
}`

// A bundler removes a call whose result is not used, unless it knows that the call can throw.
test('the published files tell queries that are not UTF-8 from one another', async () => {
  const args = ['--input-type=module', '--eval', PROGRAM]
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: import.meta.dirname })
  expect(stdout).toBe('verified\nsignature_mismatch\n')
})
