import { createHmac } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { folder } from './folder.ts'
import { invoke } from './invoke.ts'
import { RECORDED_AT, RECORDINGS, recordingOf, saved } from './recorded.ts'

const github = recordingOf('github')
const env = { WEBHOOK_SECRET: github.secret }

it.each(RECORDINGS.map((recording) => [recording.scheme, recording] as const))(
  'verifies what %s sends, and nothing that was changed',
  async (_, recording) => {
    const { secret, options, body } = recording
    const verify = async (request: typeof recording) =>
      invoke(['verify', ...options, '--json', await saved(request)], {
        env: { WEBHOOK_SECRET: secret },
      })
    const valid = await verify(recording)
    expect(valid.err).toBe('')
    expect(valid.json).toMatchObject([{ valid: true, delivery: { scheme: recording.scheme } }])
    expect(valid.code).toBe(0)
    const changed = await verify({ ...recording, body: Buffer.concat([body, Buffer.from(' ')]) })
    expect(changed.json).toMatchObject([
      { valid: false, status: 401, reason: 'signature_mismatch' },
    ])
    expect(changed.code).toBe(1)
  },
)

it('prints the id and the event of a service, and no instance', async () => {
  const { out } = await invoke(['verify', '--scheme', 'github', await saved(github)], { env })
  expect(out).toMatch(/^valid {2}push {2}id msg_2cVbUqcH1H8bGZV0XBmYz1$/m)
})

it('takes both spellings of a name', async () => {
  const { secret, ...recording } = recordingOf('standard-webhooks')
  const path = await saved(recording)
  for (const name of ['standard-webhooks', 'standardWebhooks']) {
    const args = ['verify', '--scheme', name, path]
    expect((await invoke(args, { env: { WEBHOOK_SECRET: secret } })).code).toBe(0)
  }
})

it('has the replay window of the service', async () => {
  const { secret, ...recording } = recordingOf('stripe')
  const path = await saved(recording)
  const at = async (seconds: number, ...more: string[]) => {
    const time = new Date(RECORDED_AT + seconds * 1000).toISOString()
    const args = ['verify', '--scheme', 'stripe', '--at', time, '--json', path, ...more]
    return (await invoke(args, { env: { WEBHOOK_SECRET: secret } })).json
  }
  expect(await at(300)).toMatchObject([{ valid: true }])
  expect(await at(301)).toMatchObject([{ valid: false, reason: 'timestamp_too_old' }])
  expect(await at(301, '--tolerance', '600')).toMatchObject([{ valid: true }])
})

it('says that a request only checks the endpoint', async () => {
  const body = '{"type":"url_verification","challenge":"abc"}'
  const timestamp = `${RECORDED_AT / 1000}`
  const mac = createHmac('sha256', 'slack-secret').update(`v0:${timestamp}:${body}`).digest('hex')
  const path = await saved({
    ...recordingOf('slack'),
    headers: [
      ['x-slack-request-timestamp', timestamp],
      ['x-slack-signature', `v0=${mac}`],
    ],
    body: Buffer.from(body),
  })
  const run = (...more: string[]) =>
    invoke(['verify', '--scheme', 'slack', path, ...more], {
      env: { WEBHOOK_SECRET: 'slack-secret' },
    })
  expect((await run()).out).toMatch(/^valid {2}The service checks the endpoint: url_verification$/m)
  expect((await run('--json')).json).toMatchObject([
    { valid: true, handshake: 'The service checks the endpoint: url_verification' },
  ])
})

it('reads the URL that was signed from the request line', async () => {
  const { secret, headers, target, body, options } = recordingOf('square')
  const directory = await folder()
  const paths = [join(directory, 'headers.txt'), join(directory, 'body.bin')] as const
  const lines = headers.map(([name, value]) => `${name}: ${value}`).join('\n')
  await writeFile(paths[1], body)
  const run = async (text: string) => {
    await writeFile(paths[0], text)
    const args = ['verify', ...options, '--headers', paths[0], '--body', paths[1]]
    return invoke(args, { env: { WEBHOOK_SECRET: secret } })
  }
  expect((await run(`POST ${target} HTTP/1.1\n${lines}`)).code).toBe(0)
  expect((await run(`POST /other HTTP/1.1\n${lines}`)).code).toBe(1)
  const without = await run(lines)
  expect(without.code).toBe(2)
  expect(without.err).toContain('square signs the URL, so the file should begin with')
})

it('loads the scheme of a module', async () => {
  const directory = await folder()
  const module = new URL('../../schemes/src/index.ts', import.meta.url).href
  const value = `{
    name: 'acme', checked: '2026-11-23',
    signature: { header: 'x-hub-signature-256', encoding: 'hex' },
    keys: [{ algorithm: 'hmac-sha256', secret: 'text', prefix: 'sha256=' }],
    signed: ['body'],
  }`
  const path = await saved(github)
  const run = async (text: string) => {
    const file = join(directory, `${text.length}.mjs`)
    await writeFile(file, `import { defineScheme, stripe } from '${module}'\n${text}`)
    return invoke(['verify', '--scheme', file, '--json', path], { env })
  }
  const { json } = await run(
    `const acme = defineScheme(${value})\nexport { acme, acme as default }`,
  )
  expect(json).toMatchObject([{ valid: true, delivery: { scheme: 'acme' } }])
  const none = await run('export const acme = 1')
  expect([none.code, none.err]).toEqual([2, expect.stringContaining('but it exports none.')])
  const two = await run(`export { stripe }\nexport const acme = defineScheme(${value})`)
  expect([two.code, two.err]).toEqual([2, expect.stringContaining('it exports stripe, acme.')])
  const wrong = await run(`export const acme = defineScheme({ ...${value}, name: '' })`)
  expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('cannot be loaded')])
})

it.each([
  [
    ['--scheme', 'gitbub'],
    /no scheme "gitbub", but there are: aws-sns, discord-events, .*twilio, wise, zoom\./,
  ],
  [['--scheme', './absent.mjs'], /cannot be loaded from \.\/absent\.mjs/],
  [['--scheme', 'square'], /--public-url is missing: square signs the URL/],
  [['--scheme', 'square', '--public-url', 'a.example/x'], /should be a URL/],
  [['--scheme', 'github', '--public-url', 'https://a.example'], /Leave out --public-url: github/],
  [['--public-url', 'https://a.example'], /Leave out --public-url: contract does not sign the URL/],
  [['--scheme', 'github', '--tolerance', '300'], /--tolerance should be left out: github signs no/],
  [['--scheme', 'svix'], /begins with whsec_/],
  [['--scheme', 'aws-sns'], /is not the ARN of a topic/],
])('exits with 2 for %j', async (args, message) => {
  const { code, err } = await invoke(['verify', await saved(github), ...args], { env })
  expect(err).toMatch(message)
  expect(code).toBe(2)
})

it('finds out why a signature of a service does not match', async () => {
  const { secret, ...recording } = recordingOf('standard-webhooks')
  const body = Buffer.concat([recording.body, Buffer.from('\n')])
  const args = ['verify', '--scheme', 'standard-webhooks', await saved({ ...recording, body })]
  const env = { WEBHOOK_SECRET: secret }
  const { json } = await invoke([...args, '--json'], { env })
  expect(json).toMatchObject([{ diagnosis: [{ code: 'body_final_newline' }] }])
})

it.each([
  ['without --scheme', []],
  ['with that of another', ['--scheme', 'linear']],
])('names the service that a request comes from, %s', async (_, options) => {
  const { json, code } = await invoke(['verify', ...options, '--json', await saved(github)], {
    env,
  })
  expect(json).toMatchObject([
    {
      reason: 'signature_missing',
      detail: expect.stringContaining('has the x-hub-signature-256 header of another service'),
      diagnosis: [
        {
          code: 'scheme_other',
          certainty: 'certain',
          message: expect.stringContaining('"github"'),
        },
      ],
    },
  ])
  expect(code).toBe(1)
})
