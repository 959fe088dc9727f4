// Draws the moving picture of the README (the doctor at a verifier written by hand, then the inspector): `npm --prefix packages/site run tour`
// Everything in it is what the commands print and the page shows. Needs Chromium, and img2webp of Debian's package webp.
import { execFile, execFileSync, spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { chromium } from 'playwright-core'
import { DOCS, ROOT } from './sources.mjs'

const COMMAND = join(ROOT, 'packages/cli/bin/webhook-receiver.js')
const SECRET = 'whsec_try_me'
const SIZE = { width: 960, height: 600 }
const folder = mkdtempSync(join(tmpdir(), 'tour-'))
const frames = []

const EVENT = {
  id: 'evt_1QxYzT2eZvKYlo2C',
  object: 'event',
  type: 'invoice.paid',
  data: { object: { object: 'invoice', amount_paid: 4200, currency: 'eur' } },
}

const KINDS = { '✗': 'bad', '✓': 'good', F: 'fix' }

const STYLE = `body { margin: 0; padding: 24px 28px; background: #0d1117; color: #c9d1d9;
  font: 15px/22px "DejaVu Sans Mono", monospace; white-space: pre-wrap }
.command { color: #fff; font-weight: 700 } .bad { color: #ff7b72 } .good { color: #56d364 } .fix { color: #79c0ff }`

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
})
const page = await browser.newPage({ viewport: SIZE, colorScheme: 'dark' })
try {
  await showDoctor()
  await showInspector()
  const shown = frames.flatMap(({ file, seconds }) => ['-d', `${seconds * 1000}`, file])
  const picture = join(DOCS, 'images/tour.webp')
  execFileSync('img2webp', ['-loop', '0', '-lossy', '-q', '60', '-m', '6', ...shown, '-o', picture])
} finally {
  await browser.close()
  rmSync(folder, { recursive: true })
}

/** What many applications have: the signature of what was parsed, compared by `===`, at any time. */
async function showDoctor() {
  const verifier = createServer(async (req, res) => {
    const chunks = await req.toArray()
    const body = Buffer.concat(chunks).toString()
    let valid = false
    try {
      const signature = /v1=(\w+)/.exec(req.headers['stripe-signature'])?.[1]
      const time = /t=(\d+)/.exec(req.headers['stripe-signature'])?.[1]
      valid = hmac(`${time}.${JSON.stringify(JSON.parse(body))}`) === signature
    } catch {}
    res.writeHead(valid ? 204 : 401).end()
  })
  await new Promise((listening) => verifier.listen(0, '127.0.0.1', listening))
  const { port } = verifier.address()
  const args = [COMMAND, 'doctor', `http://localhost:${port}/stripe`, '--scheme', 'stripe']
  const env = { ...process.env, WEBHOOK_SECRET: SECRET, COLUMNS: '92', FORCE_COLOR: '0' }
  const run = promisify(execFile)(process.execPath, args, { env })
  const { stdout } = await run.catch((failed) => failed)
  verifier.close()
  const line = '$ webhook-receiver doctor http://localhost:3000/stripe --scheme stripe'
  const output = stdout.replaceAll(String(port), '3000').trimEnd().split('\n')
  await terminal([line], 1.2)
  const shown = output.slice(0, 24)
  for (let lines = 4; lines < shown.length; lines += 5)
    await terminal([line, ...shown.slice(0, lines)], 0.25)
  await terminal([line, ...shown], 5)
}

async function showInspector() {
  const args = [COMMAND, 'listen', '--scheme', 'stripe', '--port', '0', '--ui']
  const env = { ...process.env, WEBHOOK_SECRET: SECRET }
  const listen = spawn(process.execPath, args, { env })
  let printed = ''
  listen.stdout.on('data', (data) => {
    printed += data
  })
  listen.stderr.on('data', (data) => {
    printed += data
  })
  try {
    const find = async (pattern) => {
      for (let tries = 0; tries < 400; tries++) {
        const found = pattern.exec(printed)?.[0]
        if (found) return found
        await setTimeout(50)
      }
      throw new Error(`listen did not print ${pattern}:\n${printed}`)
    }
    const ui = await find(/(?<=Inspector +)http\S+/)
    const receiver = await find(/(?<=Listening on +)http\S+/)
    const banner = printed
      .split('\n')
      .filter((line) => /^ +(?:webhook|➜ +(?:List|Insp|Serv))/.test(line))
    const shown = banner.map((line) => line.replace(/(?<=:)\d+\S*/, '3000'))
    await terminal(['$ webhook-receiver listen --scheme stripe --ui', '', ...shown], 1.8)
    await page.goto(ui)
    await page.waitForTimeout(500)
    const sent = JSON.stringify(EVENT)
    await post(receiver, sent, JSON.stringify(EVENT, null, 2))
    await page.waitForTimeout(800)
    await shot(1)
    await page.locator('.row[role=option]').first().click()
    await page.waitForTimeout(800)
    await shot(5)
    await post(receiver, sent, sent)
    await page.waitForTimeout(800)
    await shot(1)
    await page.locator('.row[role=option]').first().click()
    await page.waitForTimeout(800)
    await shot(4)
  } finally {
    listen.kill()
  }
}

/** Signed as Stripe does; what arrives may have been written again on the way. */
async function post(url, signed, arrives) {
  const time = Math.floor(Date.now() / 1000)
  const headers = {
    'content-type': 'application/json',
    'stripe-signature': `t=${time},v1=${hmac(`${time}.${signed}`)}`,
  }
  await fetch(url, { method: 'POST', headers, body: arrives })
}

function hmac(text) {
  return createHmac('sha256', SECRET).update(text).digest('hex')
}

async function terminal(lines, seconds) {
  const escaped = lines.map((line) => line.replaceAll('&', '&amp;').replaceAll('<', '&lt;'))
  const text = escaped.map(
    (line) =>
      `<div class="${/^\$/.test(line) ? 'command' : (KINDS[line.trim()[0]] ?? '')}">${line || ' '}</div>`,
  )
  await page.setContent(`<style>${STYLE}</style><body>${text.join('')}</body>`)
  await shot(seconds)
}

async function shot(seconds) {
  const file = join(folder, `${frames.length}.png`)
  writeFileSync(file, await page.screenshot())
  frames.push({ file, seconds })
}
