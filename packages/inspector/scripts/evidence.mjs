// Measures the inspector and writes docs/evidence/inspector.md: `npm --prefix packages/inspector run evidence`. Needs Chromium.
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { createInspector } from '@webhook-receiver/inspector'
import { startProgram, stopPrograms } from '@webhook-receiver/tools/program.mjs'
import { chromium } from 'playwright-core'

const ROOT = join(import.meta.dirname, '../../..')
const ASSETS = join(import.meta.dirname, '../dist/page/assets')
const COMMAND = join(ROOT, 'packages/cli/bin/webhook-receiver.js')
const RUNS = 15
const DELIVERIES = 100_000

if (process.argv[2] === 'memory') {
  process.send(await memory(Number(process.argv[3])))
  process.exit()
}

const sizes = readdirSync(ASSETS)
  .filter((name) => /\.(js|css)$/.test(name))
  .map((name) => {
    const content = readFileSync(join(ASSETS, name))
    const what = name.startsWith('editor')
      ? 'the editor, loaded with the first *New delivery*'
      : name.endsWith('css')
        ? 'styles'
        : 'code'
    return { what, plain: content.length, brotli: brotliCompressSync(content).length }
  })
  .sort((one, two) => one.brotli - two.brotli)
const empty = await firstPaint(0)
const full = await firstPaint(10_000)
const [without, withPage] = await startTimes()
const small = await inProcess(300)
const large = await inProcess(65_536)

const kB = (bytes) => `${(bytes / 1000).toFixed(1)} kB`
const MiB = (bytes) => `${(bytes / 2 ** 20).toFixed(0)} MiB`
const ms = (value) => `${value.toFixed(0)} ms`
const total = sizes.reduce((sum, { brotli }) => sum + brotli, 0)
writeFileSync(
  join(ROOT, 'docs/evidence/inspector.md'),
  `# Inspector

What the [inspector](../guides/inspector.md) takes. Written by \`npm --prefix packages/inspector run evidence\` on ${new Date().toISOString().slice(0, 10)}: Node ${process.versions.node},
Chromium ${await version()}, ${cpus().length} cores (${cpus()[0].model.trim()}).

## Sizes

| what the browser loads | bytes | brotli |
| --- | --- | --- |
${sizes.map(({ what, plain, brotli }) => `| ${what} | ${kB(plain)} | ${kB(brotli)} |`).join('\n')}
| all of it | ${kB(sizes.reduce((sum, { plain }) => sum + plain, 0))} | ${kB(total)} |

\`npm run check\` fails above 150 kB.

## First paint

First contentful paint after the start of the navigation, in a fresh browser context each time; the median of ${RUNS}, and the slowest.

| deliveries in the list | median | slowest |
| --- | --- | --- |
| 0 | ${ms(empty.median)} | ${ms(empty.most)} |
| 10,000 | ${ms(full.median)} | ${ms(full.most)} |

## Start of the command line

From the start of the process to the line with the address of the service, \`emulate --scenario none\`; the median of ${RUNS}, interleaved. Without
\`--ui\` the inspector is not loaded.

| | median |
| --- | --- |
| without \`--ui\` | ${ms(without)} |
| with \`--ui\` | ${ms(withPage)} |

## Memory

A process of its own that shows ${DELIVERIES.toLocaleString('en')} deliveries, with the default options. Heap and buffers after a garbage collection.

| body of a delivery | before | after ${DELIVERIES.toLocaleString('en')} | bodies kept | deliveries kept |
| --- | --- | --- | --- | --- |
${[small, large].map(({ size, before, after, kept, rows }) => `| ${size.toLocaleString('en')} bytes | ${MiB(before)} | ${MiB(after)} | ${MiB(kept)} | ${rows.toLocaleString('en')} |`).join('\n')}
`,
)
await stopPrograms()
process.exit()

function deliveryOf(n, size) {
  const time = new Date().toISOString()
  const data = {
    instance_id: 'inst_01',
    event: 'message.read',
    data: { text: '' },
    timestamp: time,
  }
  const delivery = { id: `id-${n}`, event: 'message.read', created_at: time, data }
  const missing = size - JSON.stringify(delivery).length
  data.data.text = 'x'.repeat(Math.max(0, missing))
  const body = Buffer.from(JSON.stringify(delivery))
  const headers = [
    ['X-Webhook-Id', delivery.id],
    ['X-Webhook-Timestamp', '1767225600'],
    ['X-Webhook-Signature', `sha256=${'0'.repeat(64)}`],
  ]
  const request = { method: 'POST', target: '/webhooks', httpVersion: '1.1', headers, body }
  return { ...request, at: Date.now(), status: 204, duration: 1 }
}

async function fill(inspector, count, size) {
  const target = { url: 'http://localhost:3000/webhooks', secret: 'whsec_evidence' }
  for (let n = 0; n < count; n++) await inspector.received(deliveryOf(n, size), target)
}

async function memory(size) {
  const used = () => {
    globalThis.gc()
    const { heapUsed, external } = process.memoryUsage()
    return heapUsed + external
  }
  const inspector = createInspector()
  const url = await inspector.start()
  await fill(inspector, 100, size)
  const before = used()
  await fill(inspector, DELIVERIES - 100, size)
  const after = used()
  const { counts } = await stateOf(url)
  return { size, before, after, kept: counts.bytes, rows: counts.total - counts.first + 1 }
}

async function stateOf(url) {
  const end = new AbortController()
  const { body } = await fetch(`${url}api/events`, { signal: end.signal })
  let text = ''
  for await (const chunk of body) {
    text += Buffer.from(chunk).toString()
    const state = /event: state\ndata: (.*)\n\n/.exec(text)
    if (state) return JSON.parse(state[1])
  }
}

function inProcess(size) {
  return new Promise((resolve) => {
    const args = ['--expose-gc', import.meta.filename, 'memory', String(size)]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    child.on('message', resolve)
  })
}

async function firstPaint(count) {
  const inspector = createInspector()
  const url = await inspector.start()
  await fill(inspector, count, 300)
  const browser = await launch()
  const times = []
  for (let run = 0; run <= RUNS; run++) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
    const page = await context.newPage()
    await page.goto(url)
    const time = await page.evaluate(
      () =>
        new Promise((resolve) =>
          new PerformanceObserver((list) => {
            const [entry] = list.getEntriesByName('first-contentful-paint')
            if (entry) resolve(entry.startTime)
          }).observe({ type: 'paint', buffered: true }),
        ),
    )
    // The first one starts processes of the browser.
    if (run > 0) times.push(time)
    await context.close()
  }
  await browser.close()
  await inspector.stop()
  return { median: median(times), most: Math.max(...times) }
}

async function startTimes() {
  const times = [[], []]
  for (let run = 0; run < RUNS; run++) {
    for (const [index, flags] of [[], ['--ui']].entries()) {
      const begun = performance.now()
      const args = [COMMAND, 'emulate', '--scenario', 'none', ...flags]
      const program = startProgram(process.execPath, args)
      await program.printed(/The service is at (\S+)/)
      times[index].push(performance.now() - begun)
      await program.stop()
    }
  }
  return times.map(median)
}

async function version() {
  const browser = await launch()
  const found = browser.version()
  await browser.close()
  return found
}

function launch() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  })
}

function median(values) {
  return values.toSorted((one, two) => one - two)[Math.floor(values.length / 2)]
}
