import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { read } from './documents.ts'

/** Asks a server what the runbook of WebhookNothingArrives asks, and expects the status that it names. */
export async function followRunbook(url: string): Promise<void> {
  const step = /`(curl .*)https:\S+` should show (\d+)/.exec(await read('docs/guides/alerts.md'))
  const [, command = 'exit 1', status] = step ?? []
  const { stdout } = await promisify(execFile)('sh', ['-ec', `${command} ${url}`])
  expect(stdout).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
}
