import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Scheme } from '@webhook-receiver/core'
import * as schemes from '@webhook-receiver/schemes'
import { awsSns } from '@webhook-receiver/schemes/aws-sns'
import { type ServiceFile, serviceFile, withSamples } from '@webhook-receiver/schemes/services'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePorts } from '../free-ports.mjs'
import { type Program, startProgram } from '../program.mjs'
import { signedSample } from '../signed-sample.mjs'
import { read, root } from './documents.ts'

const values: readonly unknown[] = Object.values(schemes)
const all = [...values.filter(isScheme), awsSns()].map(withSamples)
const names = (await readdir(join(root, 'packages/schemes/services'))).map((name) =>
  name.replace(/\.json$/, ''),
)
const servers = (await Promise.all(names.map(serversOf))).flat()
const ports: readonly number[] = await freePorts(servers.length + 1)
const DEFAULT = { variable: 'WEBHOOK_SECRET', secret: 'whsec_try_me' }
let folder: string
let program: Program

beforeAll(async () => {
  // Inside the package, so that the servers import what the checkout has installed.
  folder = await mkdtemp(join(import.meta.dirname, '.services-'))
  const page = await read('docs/services/default.md')
  const own = { ...DEFAULT, code: blockOf(page, 'server.ts'), name: 'default', framework: '' }
  const started = await Promise.all(
    [...servers, own].map(async ({ name, framework, variable, secret, code }, at) => {
      const port = ports[at] ?? 0
      const file = join(folder, `${name}-${framework}.ts`)
      await writeFile(file, code.replaceAll('3000', String(port)))
      return { file, port, variable, secret }
    }),
  )
  await writeFile(join(folder, 'delivery.json'), blockOf(page, 'delivery.json'))
  const certificate = servers.find(({ name }) => name === 'aws-sns')?.certificate
  const given = { certificate, servers: started }
  await writeFile(join(folder, 'servers.json'), JSON.stringify(given))
  const args = ['--import', 'tsx', join(import.meta.dirname, 'service-pages-process.ts')]
  program = startProgram(process.execPath, args, { cwd: folder })
  await program.printed(/All are listening/)
})

afterAll(async () => {
  await program?.stop('SIGKILL')
  await rm(folder, { recursive: true })
})

test('each service has a page, and Stripe a server on each framework', () => {
  const frameworks = servers.filter(({ name }) => name === 'stripe').map((each) => each.framework)
  expect(frameworks).toEqual(['Express', 'Fastify', 'Hono', 'Koa', 'Next.js'])
  expect(new Set(servers.map(({ name }) => name))).toEqual(new Set(names))
})

test.each(servers)(
  'the server of $name on $framework handles what its service sends, and nothing else',
  async (server) => {
    const { name, path, headers, body, handled, expected } = server
    const post = (bytes: BodyInit) => {
      const url = `http://127.0.0.1:${ports[servers.indexOf(server)]}${path}`
      return fetch(url, { method: 'POST', headers, body: bytes })
    }
    const forged = await post(Buffer.from(body).toString().replace('a', 'b'))
    expect([forged.status, await forged.json()]).toEqual([
      401,
      { code: 'not_authenticated', message: 'not authenticated' },
    ])
    const valid = await post(Buffer.from(body))
    expect(valid.status, `${name}: ${program.output().stderr}`).toBe(expected)
    await program.printed(new RegExp(`^${handled}`, 'm'))
  },
)

test.each(['stripe', 'twilio'])(
  'the command on the page of %s sends what its server handles',
  async (name) => {
    const { variable, secret, handled } = servers.find((each) => each.name === name) ?? {}
    const page = await read(`docs/services/${name}.md`)
    const [, command = ''] = /^npx @webhook-receiver\/cli (send .*?)\n```$/ms.exec(page) ?? []
    const port = ports[servers.findIndex((each) => each.name === name)]
    const args = command.replace(':3000', `:${port}`).split(/[\s\\]+/)
    const cli = join(root, 'packages/cli/bin/webhook-receiver.js')
    const env = { ...process.env, [variable ?? '']: secret }
    const { stdout } = await promisify(execFile)(process.execPath, [cli, ...args], { env })
    expect(args[1]).toBe(handled)
    expect(stdout).toContain('accepted with 204')
  },
)

test('the page of the default format leads to a delivery that is handled', async () => {
  const script = blockOf(await read('docs/services/default.md'), 'send.sh')
  const { stdout } = await promisify(execFile)(
    'sh',
    ['-ec', script.replaceAll('3000', String(ports.at(-1)))],
    { cwd: folder, env: { ...process.env, [DEFAULT.variable]: DEFAULT.secret } },
  )
  expect(stdout).toMatch(/^HTTP\/1.1 204 /)
  await program.printed(/^order\.paid 7d7c2a52-/m)
})

/** The server of a service on Express, and of one service on each framework, with a request for it. */
async function serversOf(name: string) {
  const [scheme, file] = [all.find((each) => each.name === name), serviceFile(name)]
  const [event = ''] = Object.keys(file?.samples ?? {})
  if (!scheme || !file) throw new Error(`${name} is no service.`)
  const path = `/webhooks/${name}`
  const request = await signedSample(scheme, event, `https://example.com${path}`)
  const page = await read(`docs/services/${name}.md`)
  const sections = page.split(/^### /m).slice(1)
  return sections.slice(0, name === 'stripe' ? undefined : 1).map((section) => ({
    ...{ name, path, variable: file.variable, ...request },
    framework: section.slice(0, section.indexOf('\n')),
    code: blockOf(section, '\\S+'),
    // As the test on the page has it, if there is one.
    expected: Number(/toBe\((\d+)\)/.exec(page)?.[1] ?? statusOf(scheme, file)),
    // Of a delivery without event and id, what it holds.
    handled: scheme.hasEvent ? event : scheme.hasId ? '\\S+ {' : '[{[]',
  }))
}

function statusOf({ success }: Scheme, { reply }: ServiceFile): number {
  return reply ? 200 : (success?.status ?? 204)
}

function blockOf(page: string, file: string): string {
  const [, code = ''] =
    new RegExp(`^\`\`\`\\w+ \\[${file}\\]\\n(.*?)^\`\`\`$`, 'ms').exec(page) ?? []
  if (code === '') throw new Error(`There is no block ${file}.`)
  return code
}

function isScheme(value: unknown): value is Scheme {
  return typeof value === 'object' && value !== null && 'readHead' in value
}
