import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { Scheme } from '@webhook-receiver/core'
import { signDelivery } from '@webhook-receiver/core/testing'
import * as schemes from '@webhook-receiver/schemes'
import { awsSns } from '@webhook-receiver/schemes/aws-sns'
import { type ServiceFile, serviceFile, withSamples } from '@webhook-receiver/schemes/services'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { serviceOf, tokenSchemes } from '../../../packages/cli/src/add/index.ts'
import { invoke, start } from '../../../packages/cli/test/invoke.ts'
import { codeBlocks } from '../documents/code-blocks.mjs'
import { freePorts } from '../free-ports.mjs'
import { type Program, startProgram } from '../program.mjs'
import { signedSample } from '../signed-sample.mjs'
import { read, root } from './documents.ts'

type Block = ReturnType<typeof codeBlocks>[number] & { readonly page: string }

const values: readonly unknown[] = Object.values(schemes)
const all = [...values.filter(isScheme), awsSns()].map(withSamples)
const names = (await readdir(join(root, 'packages/schemes/services'))).map((name) =>
  name.replace(/\.json$/, ''),
)
const pages = new Map<string, string>()
for (const file of await readdir(join(root, 'docs/services')))
  pages.set(file.replace(/\.md$/, ''), await read(`docs/services/${file}`))
const blocks: readonly Block[] = [...pages].flatMap(([page, text]) =>
  codeBlocks(text).map((block) => ({ page, ...block })),
)
const tokens = (await tokenSchemes()).filter(({ scheme }) => scheme.sign)
const servers = [
  ...(await Promise.all(names.map(serverOf))),
  ...(await Promise.all(tokens.map(tokenServerOf))),
]
const ports: readonly number[] = await freePorts(servers.length + 2)
const [listenPort, defaultPort] = ports.slice(-2)
const DEFAULT = {
  ...{ variable: 'WEBHOOK_SECRET', secret: 'whsec_made_up_secret_for_tests' },
  ...{ path: '/webhooks', expected: 204 },
}
let folder: string
let program: Program

beforeAll(async () => {
  // Inside the package, so that the servers import what the checkout has installed.
  folder = await mkdtemp(join(import.meta.dirname, '.services-'))
  const started = await Promise.all(
    [
      ...servers.map((server, at) => ({ ...server, port: ports[at] })),
      { ...DEFAULT, name: 'default', port: defaultPort },
    ].map(async ({ name, variable, secret, port }) => {
      const file = join(folder, name, 'server.ts')
      await mkdir(dirname(file))
      await writeFile(
        file,
        (await serverCode(name, dirname(file))).replaceAll('3000', String(port)),
      )
      return { file, port, variable, secret }
    }),
  )
  // As in an empty folder, where nothing says that a file is an ES module.
  await writeFile(join(folder, 'package.json'), '{}')
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

test('what is installed is what the server below it imports, and ours is published', async () => {
  for (const [at, { language, code }] of blocks.entries()) {
    const [, more, list = ''] = /^npm install (--save-dev )?(.*)$/m.exec(code) ?? []
    if (language !== 'sh' || !list) continue
    const below = blocks.slice(at + 1, at + 3).filter(({ file }) => file.endsWith('.ts'))
    // Of types alone, which docs-code.test.ts compiles.
    if (below.length === 0) continue
    const imported = below.flatMap(({ code }) => [
      ...code.matchAll(/ from '((?:@[\w-]+\/)?[\w-]+)/g),
    ])
    const names = new Set(imported.map(([, name]) => name))
    // A peer of @webhook-receiver/jwt.
    if (names.has('@webhook-receiver/jwt')) names.add('jose')
    // A test imports what is installed for the server, too.
    const installed = list.split(' ')
    if (more) expect([...names]).toEqual(expect.arrayContaining(installed))
    else expect(new Set(installed)).toEqual(names)
    for (const [, name] of list.matchAll(/@webhook-receiver\/([\w-]+)/g)) {
      const manifest = JSON.parse(await read(`packages/${name}/package.json`))
      expect(manifest).toMatchObject({ name: `@webhook-receiver/${name}`, license: 'MIT' })
      expect(manifest).not.toHaveProperty('private')
    }
  }
})

test.each(servers)(
  'the server of $name handles what its service sends, and nothing else',
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

test.each(blocks.filter(isCommand).filter(({ code }) => code.includes(' send ')))(
  'the command on the page of $page sends what its server handles',
  async ({ page, code }) => {
    const at = servers.findIndex(({ name }) => name === page)
    const { variable, secret, path, expected } = servers[at] ?? DEFAULT
    // The route for calls replies with TwiML.
    const status = code.includes(`${path}/`) ? 200 : expected
    const key = join(folder, `${page}.key`)
    await writeFile(key, servers[at]?.privateKey ?? '')
    const [args = []] = commandLines(
      code.replace(`${page}.key`, () => key),
      ports[at] ?? defaultPort,
    )
    const { out, err, code: ended } = await invoke(args, { env: { [variable]: secret } })
    // Where a service has no events, the command's first word is the sample.
    expect(err).toMatch(/^(?:\S+ has no names of events: the event is not sent\.\n)?$/)
    expect(out).toContain(`accepted with ${status}`)
    expect(ended).toBe(0)
  },
)

test.each(blocks.filter(isCommand).filter(({ code }) => code.includes(' keys ')))(
  'the command on the page of $page makes keys',
  async ({ page, code }) => {
    const [made = ''] = code.split('\n')
    const [args = []] = commandLines(made, 0)
    const out = join(folder, `${page}-made`)
    expect((await invoke([...args, '--out', out])).code).toBe(0)
    const shown = await readFile(`${out}.pub`, 'utf8')
    const of = all.find(({ name }) => name === page) as Scheme
    await expect(async () => of.importKey(shown.trim(), 'The secret')).not.toThrow()
  },
)

test.each(blocks.filter(isCommand).filter(({ code }) => code.includes(' listen ')))(
  'the commands on the page of $page save a request and send it to its server',
  async ({ page, code }) => {
    const at = servers.findIndex(({ name }) => name === page)
    const { variable, secret, path, certificate, headers, body, expected } = servers[at] as Server
    const { fetch } = globalThis
    // There is no AWS here.
    globalThis.fetch = async (input, init) =>
      /amazonaws/.test(String(input)) ? new Response(certificate) : fetch(input, init)
    try {
      const again = blocks.find((block) => block.page === page && block.code.includes(' replay '))
      const [listening = []] = commandLines(code, ports[at])
      const [replaying = []] = commandLines(again?.code ?? '', ports[at])
      const listener = start(listening, { env: { [variable]: secret } })
      await listener.until(/Listening on/)
      const init = { method: 'POST', headers, body }
      const saved = await fetch(`http://127.0.0.1:${listenPort}${path}`, init)
      expect(saved.ok).toBe(true)
      listener.interrupt()
      await listener.ended
      const { out, code: ended } = await invoke(replaying)
      expect(out).toContain(String(expected))
      expect(ended).toBe(0)
    } finally {
      globalThis.fetch = fetch
    }
  },
)

test('the sender on the page of the default format sends what its server handles', async () => {
  const file = join(folder, 'send.mts')
  const code = blockOf('default', 'send.ts').replaceAll('3000', String(defaultPort))
  await writeFile(file, code)
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', file], {
    cwd: import.meta.dirname,
    env: { ...process.env, [DEFAULT.variable]: DEFAULT.secret },
  })
  expect(stdout).toBe('204\n')
  await program.printed(/^order\.paid [\da-f-]{36} \{ order: 1001, total: '42\.00' \}/m)
})

type Server = (typeof servers)[number]

/** The server on the page of a service, with a request for it. */
async function serverOf(name: string) {
  const [scheme, file] = [all.find((each) => each.name === name), serviceFile(name)]
  const [event = ''] = Object.keys(file?.samples ?? {})
  if (!scheme || !file) throw new Error(`${name} is no service.`)
  const path = `/webhooks/${name}`
  const request = await signedSample(scheme, event, `https://example.com${path}`)
  return {
    ...{ name, path, variable: file.variable, ...request },
    expected: statusOf(scheme, file),
    // Of a delivery without event and id, what it holds.
    handled: scheme.hasEvent ? event : scheme.hasId ? '\\S+ {' : '[{[]',
  }
}

/** The same of a service that signs by a token, with the secret that it shares. */
async function tokenServerOf({ exported, scheme, from }: (typeof tokens)[number]) {
  const { name, path, variable, event, secret, status } = serviceOf(exported, scheme, from)
  const url = `https://example.com${path}`
  const request = await signDelivery(secret, { event, a: 1 }, { scheme, event, url })
  return {
    ...{ name, path, variable, secret, ...request },
    ...{ privateKey: undefined, certificate: undefined, expected: status },
    handled: scheme.hasEvent ? event : '\\S+ {',
  }
}

function statusOf({ success }: Scheme, { reply }: ServiceFile): number {
  return reply ? 200 : (success?.status ?? 204)
}

function blockOf(page: string, file: string): string {
  const block = blocks.find((each) => each.page === page && each.file === file)
  if (!block) throw new Error(`There is no block ${file}.`)
  return block.code
}

/** The server of a page, with the file that the page says to mount in it. Writes that file into the folder. */
async function serverCode(page: string, folder: string): Promise<string> {
  const code = blockOf(page, 'server.ts')
  const said = /import it and mount it by `(.*, (\w+)\))`/.exec(pages.get(page) ?? '')
  if (!said) return code
  const [, mounted, name] = said
  await writeFile(join(folder, 'calls.ts'), blockOf(page, 'calls.ts'))
  return `import { ${name} } from './calls.ts'\n${code.replace(/^app\.listen/m, `${mounted}\n$&`)}`
}

function isCommand({ language, code }: Block): boolean {
  return language === 'sh' && /^(?:export .*\n)?npx webhook-receiver /.test(code)
}

/** The arguments of each command of a block, with the ports and the folder of this test. */
function commandLines(code: string, port: number | undefined): readonly (readonly string[])[] {
  return code
    .replaceAll('\\\n', ' ')
    .replaceAll('localhost:3000', `localhost:${port}`)
    .replace(/^npx webhook-receiver listen/m, `$& --port ${listenPort}`)
    .replaceAll(/(?<= )captures(?=\s)/g, () => join(folder, 'captures', String(port)))
    .split(/^npx webhook-receiver /m)
    .slice(1)
    .map((line) =>
      [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, word = '']) => quoted ?? word),
    )
}

function isScheme(value: unknown): value is Scheme {
  return typeof value === 'object' && value !== null && 'readHead' in value
}
