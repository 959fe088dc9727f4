import { createHmac } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { allSchemes } from '../src/options/find-scheme.ts'
import { folder } from './folder.ts'
import { invoke } from './invoke.ts'
import { RECORDED_AT, RECORDINGS, recordingOf, saved } from './recorded.ts'

const github = recordingOf('github')

/** What `verify` says of a recording, as JSON. */
async function verify(
  { secret, options, ...recording }: typeof github,
  args: readonly string[] = options,
) {
  const env = { WEBHOOK_SECRET: secret }
  return invoke(['verify', ...args, '--json', await saved(recording)], { env })
}

it('there is a recording of each service whose key needs no look-up', async () => {
  const names = (await allSchemes()).map(({ scheme }) => scheme.name)
  // A token says until when it is valid.
  const others = ['aws-sns', 'livekit', 'qstash']
  expect([...RECORDINGS.map(({ scheme }) => scheme), ...others].sort()).toEqual(names)
})

it('says that a request only checks the endpoint', async () => {
  const slack = recordingOf('slack')
  const body = '{"type":"url_verification","challenge":"abc"}'
  const timestamp = `${RECORDED_AT / 1000}`
  const mac = createHmac('sha256', slack.secret).update(`v0:${timestamp}:${body}`).digest('hex')
  const headers = [
    ['x-slack-request-timestamp', timestamp],
    ['x-slack-signature', `v0=${mac}`],
  ] as const
  const { json } = await verify({ ...slack, headers, body: Buffer.from(body) })
  const handshake = 'The service checks the endpoint: url_verification'
  expect(json).toMatchObject([{ valid: true, handshake }])
})

/** What `defineScheme` of another release makes. */
const OTHER_RELEASE = `export const other = {
  ...acme,
  [Symbol.for('@webhook-receiver/core.maker')]: { package: '@webhook-receiver/schemes', version: '99.0.0', interface: 99 },
}`

it('loads the scheme of a module', async () => {
  const directory = await folder()
  const schemes = new URL('../../schemes/src/index.ts', import.meta.url).href
  const acme = `const acme = defineScheme({
    name: 'acme', checked: '2026-11-23',
    signature: { header: 'x-hub-signature-256', encoding: 'hex' },
    keys: [{ algorithm: 'hmac-sha256', secret: 'text', prefix: 'sha256=' }],
    signed: ['body'],
  })\n`
  const run = async (text: string) => {
    const file = join(directory, `${text.length}.mjs`)
    await writeFile(file, `import { defineScheme, stripe } from '${schemes}'\n${text}`)
    return verify(github, ['--scheme', file])
  }
  const { json } = await run(`${acme}export { acme, acme as default }`)
  expect(json).toMatchObject([{ valid: true, delivery: { scheme: 'acme' } }])
  for (const [text, message] of [
    [`${acme}export { acme, stripe }`, 'it exports acme, stripe.'],
    [`${acme}${OTHER_RELEASE}`, '@webhook-receiver/schemes 99.0.0, which does not fit'],
    [`export { acme }\n${acme.replace("'acme'", "''")}`, 'cannot be loaded'],
  ] as const)
    expect(await run(text)).toMatchObject({ code: 2, err: expect.stringContaining(message) })
  const absent = await verify(github, ['--scheme', './absent.mjs'])
  expect(absent).toMatchObject({ code: 2, err: expect.stringContaining('cannot be loaded from') })
})
