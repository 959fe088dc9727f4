import { createSocket } from 'node:dgram'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { serving } from '@webhook-receiver/checks/serving.mjs'
import type { Scheme } from '@webhook-receiver/core'
import { contract } from '@webhook-receiver/core/internal'
import * as services from '@webhook-receiver/schemes'
import { schemeValueOf, withMistake } from '@webhook-receiver/schemes/neighbours'
import type { Frame, Page } from 'playwright-core'
import { build } from 'vite'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { serve } from '../setup.ts'
import { barriers, openTab, withBrowser } from './browser.ts'

const PAGE = new URL('../../debugger/', import.meta.url).pathname
const SITE = new URL('../../../../workshop/site/.vitepress/', import.meta.url).pathname

let html = ''
let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(import.meta.dirname, '.debugger-'))
  const configFile = join(PAGE, 'vite.config.ts')
  await build({ configFile, build: { outDir: folder } })
  html = await readFile(join(folder, 'index.html'), 'utf8')
})
afterAll(() => rm(folder, { recursive: true }))

/** A page with the frame, as the site has it: with the attributes that its sources name. */
async function openDebugger(fragment = '', options = {}) {
  const found = async (file: string, pattern: RegExp) =>
    pattern.exec(await readFile(join(SITE, file), 'utf8'))?.[1]
  const sandbox = await found('theme/debugger.js', /sandbox: '(.*)'/)
  const allow = await found('theme/debugger.js', /allow: '(.*)'/)
  const policy = await found('config.mjs', /content: "(frame-src .*)"/)
  const around = `<!doctype html><html lang="en"><title>Site</title>
<meta http-equiv="Content-Security-Policy" content="${policy}">
<main><h1>Site</h1><iframe title="Debugger" sandbox="${sandbox}" allow="${allow}"
  style="width:100%;height:1400px;border:0" src="/debugger-frame.html${fragment}"></iframe></main>`
  const url = await serve((req, res) => {
    res.setHeader('Content-Type', 'text/html; charset=utf-8')
    res.end(req.url?.startsWith('/debugger-frame') ? html : around)
  })
  const tab = await openTab(url, options)
  const frame = tab.page.frames().find((each) => each.url().includes('debugger-frame'))
  if (!frame) throw new Error('There is no frame.')
  await frame.getByLabel('Headers').waitFor()
  return {
    ...{ ...tab, frame, url },
    service: frame.getByRole('combobox'),
    body: frame.getByRole('textbox', { name: /^Body/ }),
    outcome: frame.locator('.outcome'),
    enterSecret: (secret: string) => frame.locator('textarea.masked').fill(secret),
    sees: (text: string) => frame.getByText(text).waitFor(),
  }
}

/** That a secret lacks its prefix is also said in the console. */
const PREFIX = { expects: /^\[webhook-receiver\]/ }

const SECRET = 'MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY='
const TIME = 1_795_392_000_000
const PUBLIC_URL = 'https://example.com/webhooks?tenant=7'
const CONTENT = { text: 'é $& 👋', amount: 1.5, list: [1, 2] }

/** A secret that is what the scheme takes. */
function secretOf(scheme: Scheme) {
  const [{ secret = 'text', secretPrefix = '' } = {}] = schemeValueOf(scheme)?.keys ?? []
  return secretPrefix + (secret === 'hex' ? Buffer.from(SECRET).toString('hex') : SECRET)
}

async function signed(scheme: Scheme, mistake?: string) {
  const secret = secretOf(scheme)
  const signer = mistake ? withMistake(scheme, mistake) : scheme
  const parts = { id: 'evt_1', event: 'order.paid', time: TIME, url: PUBLIC_URL }
  const body = scheme.compose?.(CONTENT, parts) ?? new Uint8Array()
  const key = await signer.importKey(secret, 'The secret')
  const headers = await signer.sign?.(key, Uint8Array.from(body), parts)
  return { headers: { ...headers }, body: Buffer.from(body).toString(), secret }
}

type Request = Awaited<ReturnType<typeof signed>>

const { slack, square, stripe, twilio, github } = services

/** A wrong request of each part, and the cause: body, headers, secret, and what was signed. The tests of `diagnose` have each cause. */
const WRONG: readonly (readonly [Scheme, string, ((request: Request) => Partial<Request>)?])[] = [
  [
    contract,
    'body_reserialized',
    ({ body }) => ({ body: JSON.stringify(JSON.parse(body), null, 2) }),
  ],
  [
    github,
    'header_renamed',
    ({ headers }) => ({
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [`x-amzn-remapped-${name}`, value]),
      ),
    }),
  ],
  [square, 'secret_quoted', ({ secret }) => ({ secret: `"${secret}"` })],
  // A mistake of the sender.
  [twilio, 'message_form_as_sent'],
]

type Debugger = Awaited<ReturnType<typeof openDebugger>>

async function paste(debug: Debugger, scheme: Scheme, { headers, body, secret }: Request) {
  await debug.service.selectOption(scheme.name)
  const lines = Object.entries(headers).map((header) => header.join(': '))
  await debug.frame.getByLabel('Headers').fill(lines.join('\n'))
  await debug.body.fill(body)
  if (scheme.signsUrl) await debug.frame.getByRole('textbox', { name: /^URL/ }).fill(PUBLIC_URL)
  await debug.enterSecret(secret)
}

/** Pastes a valid request. */
async function pasteValid(debug: Debugger, scheme: Scheme = stripe) {
  const request = await signed(scheme)
  await paste(debug, scheme, request)
  await debug.sees('✓ valid')
  return request
}

withBrowser('the debugger', () => {
  it('names the cause of wrong requests of several services', async () => {
    const debug = await openDebugger('', PREFIX)
    const { frame, outcome } = debug
    for (const [scheme, code, change] of WRONG) {
      const clear = frame.getByRole('button', { name: 'Clear' })
      await clear.click({ timeout: 500 }).catch(() => {})
      const request = await signed(scheme, change ? undefined : code)
      await paste(debug, scheme, { ...request, ...change?.(request) })
      const found = outcome.locator('.quiet code').first()
      const shown = () => found.textContent({ timeout: 1000 }).catch(() => '')
      await expect.poll(shown, { message: `${scheme.name}: ${code}` }).toBe(code)
      expect(await outcome.textContent()).toContain('certain')
    }
  })

  it('shows what is signed, and marks the first byte that differs', async () => {
    const debug = await openDebugger('', PREFIX)
    const request = await pasteValid(debug)
    const parts = [`${TIME / 1000}`, '.', request.body]
    expect(await debug.frame.locator('pre.text .part').allTextContents()).toEqual(parts)
    await debug.body.fill(request.body.replace(':', ': '))
    const caret = await debug.frame.locator('pre.caret').textContent()
    const at = parts.join('').indexOf(':') + 1
    expect(caret).toContain(`^ byte ${at}`)
    const lines = caret?.split('\n') ?? []
    expect(lines[3]?.[lines[4]?.indexOf('^') ?? 0]).toBe(' ')
  })

  it('reads a pasted command, recognises the service, and says what is missing', async () => {
    const { frame, outcome, sees, ...debug } = await openDebugger('#github', PREFIX)
    const { headers, body, secret } = await signed(stripe)
    const field = frame.getByLabel('Headers')
    await field.fill('hello')
    expect(await outcome.textContent()).toContain('a name, a colon and a value')
    const lines = Object.entries(headers).map(([name, value]) => `-H '${name}: ${value}'`)
    const data = body.replaceAll('\\', '\\\\').replaceAll("'", "\\'")
    await field.fill(`curl https://example.com/stripe ${lines.join(' ')} --data-raw $'${data}'`)
    await sees('Enter the secret to verify them')
    await debug.enterSecret(secret)
    await sees('✓ valid')
    expect(await debug.service.inputValue()).toBe('stripe')
  })

  it('copies a test that runs, and a link without the secret', async () => {
    const debug = await openDebugger('', PREFIX)
    const { secret } = await pasteValid(debug)
    const copied = async (name: string, what: string) => {
      await debug.frame.getByRole('button', { name }).click()
      await debug.sees(`Copied: ${what}`)
      return debug.page.evaluate(() => navigator.clipboard.readText())
    }
    const code = await copied('Copy as test', 'a test')
    expect(code).not.toContain(secret)
    process.env.STRIPE_WEBHOOK_SECRET = secret
    const file = join(folder, 'copied.ts')
    const running = `import { expect } from 'vitest'\nlet run\nconst test = (_, work) => (run = work)`
    const runnable = code.replace("import { expect, test } from 'vitest'", running)
    await writeFile(file, `${runnable}\nexport default run\n`)
    await (await import(file)).default()

    const { hash } = new URL(await copied('Copy link', 'a link'))
    const shared = atob(decodeURIComponent(hash.split('=')[1] ?? ''))
    expect(decodeURIComponent(shared)).not.toContain(secret)
    const other = await openDebugger(hash, PREFIX)
    await other.enterSecret(secret)
    await other.sees('✓ valid')
  })

  it('is filled by the link of a log line, and keeps nothing', async () => {
    const debug = await openDebugger('#slack/signature_mismatch')
    expect(await debug.service.inputValue()).toBe('slack')
    await pasteValid(debug, slack)
    await debug.page.reload()
    const again = debug.page.frameLocator('iframe').getByLabel('Headers')
    await again.waitFor()
    expect(await again.inputValue()).toBe('')
  })

  it('stays what it is behind a link that somebody made to break it', async () => {
    const script = '<img src=x onerror=alert(1)><script>alert(1)</script>'
    const shared = (more: object) => {
      const request = { headers: [['X', script]], body: btoa(script), url: script, ...more }
      return `#stripe?request=${encodeURIComponent(btoa(JSON.stringify(request)))}`
    }
    const links = [
      `#${encodeURIComponent(script)}/${encodeURIComponent(script)}`,
      '#__proto__/constructor?request=%00',
      shared({}),
      shared({ headers: [[]] }),
      shared({ headers: [['Stripe-Signature']] }),
      shared({ headers: [['Stripe-Signature', 't=1,v1=a', 'b']], receivedAt: 1e300 }),
      shared({ headers: [['Stripe-Signature', `t=9999999999,v1=${'a'.repeat(64)}`]] }),
      shared({ headers: 'text', body: 7, receivedAt: -1e300 }),
    ]
    const { frame, service, outcome, problems, enterSecret } = await openDebugger()
    for (const link of links) {
      await frame.evaluate(
        (hash) =>
          new Promise((resolve) => {
            addEventListener('hashchange', resolve, { once: true })
            location.hash = hash
          }),
        link,
      )
      await enterSecret('whsec_of_sixteen_characters')
      await outcome.first().waitFor()
      for (const name of ['github', 'stripe']) await service.selectOption(name)
      expect([link, ...problems]).toEqual([link])
    }
  })

  it.each([
    ['a desktop in light', { colorScheme: 'light' as const }, ''],
    ['a desktop in dark', { colorScheme: 'dark' as const }, '&theme=dark'],
    ['a phone', { viewport: { width: 390, height: 844 } }, ''],
  ])('has no barriers on %s', async (_, options, theme) => {
    const debug = await openDebugger(`#stripe?example${theme}`, options)
    const { frame } = debug
    await debug.sees('body_reserialized')
    await debug.hasNoBarriers()
    // The landmarks and the first heading are those of the page around the frame.
    const inFrame = await barriers(frame)
    expect(inFrame.filter((text) => !OF_PAGE.test(text))).toEqual([])
    const fits = () => document.documentElement.scrollWidth <= window.innerWidth
    expect(await frame.evaluate(fits)).toBe(true)
  })
})

/** What axe expects of a page, and not of a frame in it. */
const OF_PAGE = /^(?:landmark-one-main|page-has-heading-one|region):/

/** Ways out of a page for what it knows. Each gets an address that only it names. */
const WAYS: Readonly<Record<string, (to: string) => unknown>> = {
  fetch: (to) => fetch(to, { mode: 'no-cors' }),
  image: (to) => {
    new Image().src = to
  },
  script: (to) =>
    document.head.append(Object.assign(document.createElement('script'), { src: to })),
  preload: (to) => {
    for (const rel of ['preload', 'prefetch', 'preconnect', 'dns-prefetch', 'modulepreload']) {
      const link = Object.assign(document.createElement('link'), { rel, href: to })
      link.setAttribute('as', 'script')
      document.head.append(link)
    }
  },
  form: (to) => {
    const form = Object.assign(document.createElement('form'), { action: to, method: 'post' })
    document.body.append(form)
    form.submit()
  },
  frame: (to) => document.body.append(Object.assign(document.createElement('iframe'), { src: to })),
  'window.open': (to) => window.open(to),
  download: (to) => {
    const link = Object.assign(document.createElement('a'), { href: to, download: 'x' })
    document.body.append(link)
    link.click()
  },
  link: (to) => {
    const link = Object.assign(document.createElement('a'), { href: to, target: '_blank' })
    document.body.append(link)
    link.click()
  },
  top: (to) => {
    if (window.top) window.top.location.href = to
  },
  socket: (to) => new WebSocket(to.replace('http', 'ws')),
  worker: (to) => {
    const code = new Blob([`fetch(${JSON.stringify(to)}, { mode: 'no-cors' })`])
    return new Worker(URL.createObjectURL(code))
  },
  refresh: (to) => {
    const meta = Object.assign(document.createElement('meta'), { content: `0;url=${to}` })
    meta.httpEquiv = 'refresh'
    document.head.append(meta)
  },
  location: (to) => {
    location.href = to
  },
}

/** Those by which a frame would go elsewhere. */
const NAVIGATES = ['frame', 'refresh', 'location', 'link', 'download']

/** That somebody has connected, without any byte. */
const EMPTY = 'a connection'

withBrowser('a secret in the debugger', () => {
  it('does not leave it, whatever its script does', async () => {
    const seen: string[] = []
    const thief = createServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', (data) => seen.push(String(data).split('\r\n')[0] ?? ''))
      seen.push(EMPTY)
      socket.setTimeout(100, () => socket.destroy())
    })
    const origin = await serving(thief)
    const stun = createSocket('udp4')
    stun.on('message', () => seen.push('a datagram'))
    await new Promise<void>((resolve) => stun.bind(0, '127.0.0.1', () => resolve()))
    onTestFinished(() => void stun.close())

    /** Runs in the page, whose policy does not bind what a test evaluates: only what that asks for. */
    const attempt = async (target: Page | Frame, name: string) => {
      const to = JSON.stringify(`${origin}/${name.replace('.', '-')}`)
      const ran = target.evaluate(`document.title = ${to}; (${WAYS[name]})(${to}); 'ran'`)
      return ran.catch((error: Error) => error.message)
    }
    const rtc = (target: Page | Frame, isNested: boolean) =>
      target.evaluate(
        async ([server, nested]) => {
          const frame = document.createElement('iframe')
          document.body.append(frame)
          const from = nested ? frame.contentWindow : globalThis
          const Connection = Reflect.get(from ?? {}, 'RTCPeerConnection')
          if (!Connection) return 'absent'
          const connection = new Connection({ iceServers: [{ urls: server }] })
          connection.createDataChannel('x')
          await connection.setLocalDescription(await connection.createOffer())
          return 'begun'
        },
        [`stun:127.0.0.1:${stun.address().port}`, isNested] as const,
      )

    // Each way is open where nothing stops it, or this test would show nothing.
    for (const name of Object.keys(WAYS)) {
      const url = await serve((_, res) => res.setHeader('Content-Type', 'text/html').end('<p>'))
      const { page } = await openTab(url, { expects: /./ })
      seen.length = 0
      await attempt(page, name)
      await expect.poll(() => seen.length, { message: name }).toBeGreaterThan(0)
      // With what it has opened: Chromium loads a page again that got no response.
      await page.context().close()
    }
    const plain = await openTab(await serve((_, res) => res.end()), { expects: /./ })
    for (const isNested of [false, true]) expect(await rtc(plain.page, isNested)).toBe('begun')
    await plain.page.close()
    seen.length = 0

    for (const name of Object.keys(WAYS)) {
      const debug = await openDebugger('', { expects: /./ })
      const { page, frame, url } = debug
      await pasteValid(debug)
      expect(await rtc(frame, false)).toBe('absent')
      await expect(rtc(frame, true)).rejects.toThrow(/cross-origin/)
      expect(await attempt(frame, name)).toMatch(/^ran$|sandbox|policy|navigate|origin/i)
      // What was begun before has arrived by now, if it arrives at all.
      await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 300)))
      expect(new URL(page.url()).origin).toBe(new URL(url).origin)
      await page.close()
      // Chromium connects before it asks the policy whether a frame may go there; it then sends nothing.
      const sent = NAVIGATES.includes(name) ? seen.filter((text) => text !== EMPTY) : seen
      expect(sent, name).toEqual([])
      seen.length = 0
    }
  })
})
