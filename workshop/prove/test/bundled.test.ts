import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { root } from './documents.ts'

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

test('a service without an SDK is judged without those of others', () => {
  const folder = mkdtempSync(join(tmpdir(), 'no-npx-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'npx'), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
  const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` }
  const args = ['workshop/verbs.mjs', 'prove', 'judges', '--only', 'jira']
  // It ends with 1 once the last comparison is too old.
  const { stdout } = spawnSync(process.execPath, args, { cwd: root, env, encoding: 'utf8' })
  expect(stdout).toMatch(/jira.*developer\.atlassian\.com/)
})
