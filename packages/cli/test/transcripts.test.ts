import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { json } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { webhookHandler } from '@webhook-receiver/node'
import { folderQuarantine } from '@webhook-receiver/quarantine'
import { expect, it } from 'vitest'
import { findScheme } from '../src/options/find-scheme.ts'
import { folder } from './folder.ts'
import { type Invocation, type Result, SECRET, start } from './invoke.ts'
import { serving } from './receiver.ts'
import { RECORDED_AT, recordingOf, saved } from './recorded.ts'
import { STEERING } from './steering.ts'

/**
 * Each file has lines for a shell, which begin with `$`, and below each what a user sees: standard error behind `2>`. A number
 * behind `#` is the exit status, if that is not 0. What runs beside a command was started by a line above it: `serve`, or a
 * command with `&`. `npx vitest run packages/cli/test/transcripts --update`
 * writes what is seen now below the same lines.
 */
const FOLDER = fileURLToPath(new URL('transcripts/', import.meta.url))
const SCHEMES = new URL('../../schemes/src/index.ts', import.meta.url).href

it.each(readdirSync(FOLDER))('%s', async (file) => {
  const text = readFileSync(FOLDER + file, 'utf8')
  const terminal = new Terminal(await folder())
  let transcript = ''
  for (const [line] of text.matchAll(/^[$#] .*$/gm)) {
    transcript += `${line}\n`
    if (line.startsWith('$'))
      transcript += `${terminal.masked(await terminal.run(line.slice(2)))}\n`
  }
  await expect(transcript.trim().concat('\n')).toMatchFileSnapshot(FOLDER + file)
})

/** What `serve NAME …` can start. Its URL is then in the variable NAME. */
const SERVERS: Readonly<Record<string, (...how: string[]) => Promise<RequestListener>>> = {
  /** A receiver that verifies as this service signs, with this secret. */
  receiver: (service, secret) => receiver(service, secret),
  /** One whose clock is right, as the doctor needs it. */
  current: (service) => receiver(service, SECRET, { now: () => Date.now() }),
  /** One with another secret, which keeps what it rejects. */
  quarantine: (kept = '', service = 'contract') => {
    // By the time of today they have expired, and are removed some seconds later.
    const quarantine = folderQuarantine(kept, { now: () => RECORDED_AT })
    return receiver(service, 'whsec_wrong', { quarantine })
  },
  /** A server that responds with these statuses, one after the other. */
  async responds(statuses = '', body = '') {
    const left = statuses.split(',')
    return (req, res) => {
      const status = left.length > 1 ? left.shift() : left[0]
      const headers = status?.startsWith('3') ? { Location: '/other' } : {}
      req.resume().on('end', () => res.writeHead(Number(status), headers).end(body))
    }
  },
  /** One whose whole response would steer a terminal. */
  async steers() {
    return (_, res) => res.writeHead(401, 'a\u009b2J', { 'X-A': '\u009b2J' }).end(STEERING)
  },
  silent: async () => () => {},
  /** One whose response has no end: with `fast`, it is as long as it is read. */
  async endless(how) {
    return (_, res) => {
      const write = () => {
        while (res.write(Buffer.alloc(65_536)));
      }
      if (how === 'fast') res.on('drain', write) && write()
      else res.write('a')
    }
  },
  /** A proxy that parses the body and writes it again. */
  async rewrites(to = '') {
    return (req, res) =>
      json(req).then(async (body) => {
        const headers = req.headers as Record<string, string>
        delete headers['content-length']
        const init = { method: 'POST', headers, body: JSON.stringify(body, null, 2) }
        res.writeHead((await fetch(to, init)).status).end()
      })
  },
  /** What a connection can end with instead of a response, or within one. */
  async breaks(how = '') {
    return ({ socket }, res) => {
      if (how === 'within') res.write('a', () => socket.end())
      else if (how === 'reset') socket.resetAndDestroy()
      else socket.end(how === 'closed' ? '' : 'SSH-2.0-OpenSSH\r\n')
    }
  },
}

async function receiver(service = 'contract', secret = SECRET, more = {}) {
  const { scheme } = await findScheme(service)
  // No two requests arrive at the same time.
  let time = RECORDED_AT
  const publicUrl = scheme.signsUrl ? 'https://example.com' : undefined
  const options = { scheme, publicUrl, now: () => time++, onRejected: false, ...more } as const
  return webhookHandler(secret, () => {}, options)
}

/** What no shell runs. */
const OURS = /^(?:\w+=.* )?(?:webhook-receiver|serve|record|kill|wait)\b/

class Terminal {
  /** What the shell knows, such as the addresses of servers. */
  readonly #variables: Record<string, string>
  /** The last command with `&`. */
  #beside: Invocation | undefined

  constructor(path: string) {
    // Otherwise FAKE and what follows it would begin a new line.
    this.#variables = { DIR: path, SCHEMES, STEERING, FAKE: '\nFAKE' }
  }

  /** Runs a line, resolves to what is seen of it, and checks its exit status. */
  async run(line: string): Promise<string> {
    const [, name = '', values = '', body = '', end = ''] =
      /^for (\w+) in (.+?); do (.+); done(.*)/.exec(line) ?? []
    if (name === '') return this.#runOne(line)
    let seen = ''
    for (const value of await this.#words(values)) {
      this.#variables[name] = value
      seen += `[${value}]\n${await this.#runOne(body + end)}`
    }
    delete this.#variables[name]
    return seen
  }

  async #runOne(line: string): Promise<string> {
    if (!OURS.test(line)) return this.#shell(line)
    const [, text = '', beside, filter, status = 0] =
      /^(.*?)( &)?(?: \| (.+?))?(?: # (\d+))?$/.exec(line) ?? []
    const words = await this.#words(text)
    const at = words.findIndex((word) => !/^\w+=/.test(word))
    const env = Object.fromEntries(words.slice(0, at).map((word) => word.split(/=(.*)/s)))
    const [program, ...args] = words.slice(at)
    if (program === 'serve') return this.#serve(args)
    if (program === 'record') return this.#record(args)
    if (program === 'kill') this.#beside?.interrupt()
    const isControl = program === 'kill' || program === 'wait'
    const { NOW = RECORDED_AT } = env
    const command = isControl
      ? this.#beside
      : start(args, { env, now: () => new Date(NOW).getTime() })
    if (beside) return this.#leave(command)
    const { code, out = '', err = '', written = [] } = (await command?.ended) ?? {}
    expect(code, `${line}\n${out}${err}`).toBe(Number(status))
    if (filter === undefined) return seenOf(written)
    return seenOf([
      ['err', err],
      ['out', await this.#shell(filter, out)],
    ])
  }

  /** Hides what is another one each time. */
  masked(text: string): string {
    return Object.entries(this.#variables)
      .filter(([, value]) => /^(?:\/|http:)/.test(value))
      .reduce((left, [name, value]) => left.replaceAll(value, `$${name}`), text)
      .replace(/(?<=127\.0\.0\.1:|Port )\d{4,}|(?<=localhost:)\d{4,}(?=\/…)/g, 'PORT')
      .replace(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|\bevt_[\da-f]{32}/g, 'ID')
      .replace(/(?<= {2})(?:evt_|msg_)?[\da-f]{8}(?= |$)/gm, 'ID')
      .replace(/(?<=\.(?:key|secret) \(fingerprint )[\da-f]{8}/g, 'RANDOM')
      .replace(/(?<=SECRET=|_KEY=whsec_)[\w+/]{32,48}$/gm, 'RANDOM')
      .replace(/[\da-f]{64}|(?<![A-Z]_)[\w+/]{27,}=(?!whsec_)/g, 'DIGEST')
      .replace(/\d{4}-[\dT.-]+Z-\d+-[\da-f]{8}(?=\.json)/g, 'CAPTURE')
      .replace(/(?<=whsec_|WEBHOOK_API_KEY=)[\w-]{32}/g, 'RANDOM')
      .replace(/(?<=@webhook-receiver\/\w+@)[\d.]+/g, 'VERSION')
      .replace(/\w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT/g, 'DATE')
      .replace(/( |\() *\d+ ms\b/g, '$1N ms')
      .replace(/(?<="milliseconds":)\d+/g, 'N')
      .replace(/(?<=SILENT\][^[]* format\) in )(?:0\.[5-9]|[1-9]\.\d)(?= s)/g, '≥ 0.5')
      .replace(/(?<=\) in )\d+(?:\.\d)?(?= s)/g, 'N')
      .replace(/(?<=.)\n*$/, '\n')
  }

  /** Lets a command run on. Where it can be reached is then in a variable. */
  async #leave(command: Invocation | undefined): Promise<string> {
    this.#beside = command
    const found = await command?.until(/(Service at|Listening on) +(\S+)[\s\S]*Press/)
    const [, what = '', url = ''] = found ?? []
    return this.#reachAt(what === 'Service at' ? 'SERVICE' : 'LISTEN', url)
  }

  async #serve([name = '', what = '', ...how]: readonly string[]): Promise<string> {
    const listener = await SERVERS[what]?.(...how)
    if (!listener) throw new Error(`There is no ${what} to serve.`)
    return this.#reachAt(name, await serving(listener))
  }

  /** What was at this URL has ended, and its name would mask that of the server which has its port now. */
  #reachAt(name: string, url: string): string {
    for (const [other, at] of Object.entries(this.#variables))
      if (at === url) delete this.#variables[other]
    this.#variables[name] = url
    return ''
  }

  /** Sets two variables: the path of a recorded capture of a service, and its secret. */
  async #record([service = '']: readonly string[]): Promise<string> {
    const recording = recordingOf(service)
    Object.assign(this.#variables, { CAPTURE: await saved(recording), KEY: recording.secret })
    return ''
  }

  async #words(text: string): Promise<readonly string[]> {
    return (await this.#shell(`printf '%s\\0' ${text}`)).split('\0').slice(0, -1)
  }

  /** Does not stop a server of this process, which a program such as curl may ask. */
  async #shell(text: string, input = ''): Promise<string> {
    const { DIR: cwd } = this.#variables
    const env = { PATH: process.env.PATH, ...this.#variables }
    const running = promisify(execFile)('sh', ['-c', text], { cwd, env })
    running.child.stdin?.on('error', () => {}).end(input)
    return (await running).stdout
  }
}

/** As a terminal shows it, with what would steer one in escapes. */
function seenOf(written: Result['written']) {
  let [seen, last] = ['', 'out']
  for (const [to, text] of written) {
    for (const line of text.match(/.*\n|.+$/g) ?? []) {
      if (to !== last && seen !== '') seen = seen.replace(/\n?$/, '\n')
      const isNew = seen === '' || seen.endsWith('\n')
      seen += `${isNew && to === 'err' ? '2> ' : ''}${line}`
      last = to
    }
  }
  return seen
    .replace(/ +$/gm, '')
    .replace(/(?!\n)\p{Cc}/gu, (control) => JSON.stringify(control).slice(1, -1))
}
