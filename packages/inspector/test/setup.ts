import { type IncomingMessage, type RequestListener, request } from 'node:http'
import { text as textOf } from 'node:stream/consumers'
import { serving } from '@webhook-receiver/checks/serving.mjs'
import { createInspector, type Inspector } from '@webhook-receiver/inspector'
import { webhookHandler } from '@webhook-receiver/node'
import { onTestFinished } from 'vitest'

export const SECRET = 'whsec_0123456789abcdef0123456789abcdef'

export const serve = async (listener: RequestListener) => `${await serving(listener)}/webhooks`

/** A receiver that verifies, and the ids that it handled. */
export async function startReceiver() {
  const ids: string[] = []
  const handler = webhookHandler(SECRET, ({ id }) => void ids.push(id), { onRejected: false })
  return { url: await serve(handler), ids }
}

// biome-ignore lint/suspicious/noExplicitAny: what it holds depends on what was asked for.
type Any = any
type Options = Parameters<typeof createInspector>[0]
type Message = ReturnType<typeof toMessage>

/** An inspector, and what its page asks. */
export async function startInspector(options: Options = {}) {
  const inspector = createInspector(options)
  const url = await inspector.start()
  onTestFinished(() => inspector.stop())
  /** Asks for a path behind the token. */
  const get = (path = '', sent: Sent = {}) => ask(url + path, sent)
  const post = (path: string, value: object) =>
    get(`api/${path}`, { ...POSTED, body: JSON.stringify(value) })
  /** What the page shows of a delivery: of its last attempt, unless another one is named. */
  const load = async (n: number, attempt?: number): Promise<Any> => {
    const query = `n=${n}${attempt === undefined ? '' : `&attempt=${attempt}`}`
    const { status, text } = await get(`api/attempt?${query}`)
    if (status !== 200) throw new Error(`${status}: ${text}`)
    return JSON.parse(text)
  }
  const read = (done: (messages: readonly Message[]) => boolean, lastEventId?: string) =>
    readStream(url, done, lastEventId)
  /** Waits until a delivery has its outcome, and loads it. */
  const settled = async (n: number) => {
    await read((all) => rowsOf(all).some((row) => row.n === n && row.outcome !== 'pending'))
    return load(n)
  }
  return {
    ...{ inspector, url, get, post, load, read, settled },
    /** Sends what the page asks for, waits for its outcome and loads it. */
    send: async (command: object) => settled(JSON.parse((await post('send', command)).text).n),
  }
}

/** An inspector with a target that is called `it`; without a URL, nobody is there. */
export async function inspecting(
  to: Partial<Parameters<Inspector['addTarget']>[0]> = {},
  options: Options = {},
) {
  const started = await startInspector(options)
  const nobody = { id: 'it', url: 'http://localhost:1/', secret: SECRET }
  return { ...started, target: started.inspector.addTarget({ ...nobody, ...to }) }
}

/** The URL of a server that responds with a status to all that it reads. */
export function responding(status = () => 204) {
  return serve((req, res) => req.resume().on('end', () => res.writeHead(status()).end()))
}

/** The body of a delivery. */
export const BODY =
  '{"id":"d1","event":"message.read","created_at":"2026-01-01T00:00:00.000Z","data":{"instance_id":"inst_01","event":"message.read","data":{},"timestamp":"2026-01-01T00:00:00.000Z"}}'

/** A request that came, with what a test says of it. */
export function arrived(body: string | Uint8Array = BODY, more: object = {}) {
  const request = { method: 'POST', target: '/', httpVersion: '1.1', headers: [] }
  return { ...request, at: Date.now(), status: 204, duration: 1, body: Buffer.from(body), ...more }
}

/** Asks the page to send it, signed. */
export const SIGNED = { target: 'it', body: { text: BODY }, sign: true } as const

/** Asks the page to sign the first delivery again. */
export const AGAIN = { from: { n: 1, attempt: 1 }, sign: true } as const

export const POSTED = { method: 'POST', headers: { 'Content-Type': 'application/json' } } as const

interface Sent {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** Unlike fetch, it sends any Host and Origin. */
export function ask(url: string, { body = '', ...sent }: Sent) {
  type Got = Pick<IncomingMessage, 'headers'> & { status: number | undefined; text: string }
  return new Promise<Got>((resolve, reject) => {
    request(url, { ...sent, agent: false }, async (response) => {
      const { statusCode: status, headers } = response
      resolve({ status, headers, text: await textOf(response) })
    })
      .on('error', reject)
      .end(body)
  })
}

/** Reads an event stream until `done` says that it has enough, and closes it. */
function readStream(
  url: string,
  done: (messages: readonly Message[]) => boolean,
  lastEventId?: string,
) {
  return new Promise<readonly Message[]>((resolve, reject) => {
    const headers = lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId }
    request(`${url}api/events`, { headers, agent: false }, (response) => {
      const messages: Message[] = []
      let text = ''
      response.setEncoding('utf8').on('error', reject)
      response.on('data', (chunk) => {
        text += chunk
        const parts = text.split('\n\n')
        text = parts.pop() ?? ''
        messages.push(...parts.map(toMessage))
        if (!done(messages)) return
        response.destroy()
        resolve(messages)
      })
    })
      .on('error', reject)
      .end()
  })
}

function toMessage(part: string) {
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(part)?.[1]
  const data: Any = JSON.parse(field('data') ?? 'null')
  return { id: field('id'), event: field('event') ?? '', data }
}

/** The rows of an event stream, as a page keeps them. */
export function rowsOf(messages: readonly Message[]): Any[] {
  return messages.filter(({ event }) => event === 'rows').flatMap(({ data }) => data)
}
