import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startExample } from '@webhook-receiver/checks/example.mjs'
import { freePorts } from '@webhook-receiver/checks/free-ports.mjs'
import { startProgram, stopPrograms } from '@webhook-receiver/checks/program.mjs'
import { conversation } from '@webhook-receiver/emulator'
import { afterAll, expect, it } from 'vitest'
import { folder } from './folder.ts'

const PAGE = fileURLToPath(new URL('../../../docs/reference/command-line.md', import.meta.url))
const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url))
const COUNT = '--count 3'
const FAULTS = '--faults duplicate --fault-rate 0.5 --seed 7'

afterAll(() => stopPrograms('SIGKILL'))

// With --update, vitest writes the session of now into the page.
it('is in the documents as it is: the emulator, and the Express example with its secret', async () => {
  const [port = 0] = await freePorts(1)
  const secretFile = join(await folder(), 'webhook-secret')
  const forward = ['--forward', `http://localhost:${port}/webhooks`, '--write-secret', secretFile]
  const args = [MAIN, 'emulate', ...forward, ...`${COUNT} ${FAULTS}`.split(' ')]
  const { WEBHOOK_API_KEY: _, FORCE_COLOR: __, ...env } = process.env
  const emulator = startProgram(process.execPath, args, { env })
  await emulator.printed(/(Waiting for a receiver)/)
  const secret = (await readFile(secretFile, 'utf8')).trim()
  const receiver = await startExample('express', { secret, port })
  const { code, stdout, stderr } = await emulator.ended
  expect(code).toBe(0)
  const received = receiver.output()
  const normal = normaliser(port, secretFile)
  const session = [
    '```text',
    '# terminal 1',
    '$ npx webhook-receiver emulate --forward http://localhost:3000/webhooks \\',
    `    --write-secret webhook-secret ${COUNT} \\`,
    `    ${FAULTS}`,
    // Two pipes have no common order. What is printed before the deliveries goes to standard error.
    normal(stderr + (await sortedByEvent(stdout))).trimEnd(),
    '',
    '# terminal 2, in examples/express',
    '$ WEBHOOK_SECRET="$(cat ../../webhook-secret)" npm start',
    normal(received.stderr + (await sortedByEvent(received.stdout))).trimEnd(),
    '```',
    '',
  ].join('\n')
  expect(session).not.toContain(secret)
  const page = await readFile(PAGE, 'utf8')
  await expect(
    page.replace(/(?<=<!-- session -->\n)[\s\S]*?(?=<!-- \/session -->)/, () => session),
  ).toMatchFileSnapshot(PAGE)
})

/**
 * The lines of deliveries in the order in which the events were emitted, and a duplicate behind its original. An event does not
 * wait for the one in front of it, so where a response takes long their lines can be printed the other way round.
 */
async function sortedByEvent(text: string) {
  const events: string[] = []
  for await (const { event } of conversation()) events.push(event)
  const lines = text.split('\n')
  const positions = [...lines.keys()].filter((at) => eventOf(lines[at]) >= 0)
  const sorted = positions
    .map((at) => lines[at] ?? '')
    .sort((one, other) => eventOf(one) - eventOf(other) || attemptOf(one) - attemptOf(other))
  positions.forEach((at, index) => {
    lines[at] = sorted[index] ?? ''
  })
  return lines.join('\n')

  function eventOf(line = '') {
    return events.findIndex((event) => line.includes(event))
  }
  function attemptOf(line: string) {
    return Number(/ #(\d+)/.exec(line)?.[1] ?? 1)
  }
}

/** What differs from run to run is written the same: times, ids in the order of their arrival, ports and the folder. */
function normaliser(port: number, secretFile: string): (text: string) => string {
  const ids = new Map<string, number>()
  /** A line of the emulator has the beginning of an id only. */
  const idOf = (_: string, start: string, rest = '') => {
    ids.set(start, ids.get(start) ?? ids.size + 1)
    const number = String(ids.get(start)).padStart(8, '0')
    return rest === '' ? number : `${number}-0000-4000-8000-000000000000`
  }
  return (text) =>
    text
      .replaceAll(secretFile, 'webhook-secret')
      .replaceAll(`localhost:${port}`, 'localhost:3000')
      .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:4000')
      .replace(/(?<=WEBHOOK_API_KEY=)[\w-]{32}$/gm, '0'.repeat(32))
      .replace(
        /\b([\da-f]{8})(-[\da-f]{4}-4[\da-f]{3}-[\da-f]{4}-[\da-f]{12}|\b(?! {2,}\d))/g,
        idOf,
      )
      .replace(/^\d\d:\d\d:\d\d /gm, '12:00:00 ')
      .replace(/ +\d+ ms\b/g, (took) => '2 ms'.padStart(took.length))
}
