import { type IncomingHttpHeaders, type RequestListener, request } from 'node:http'
import { text as textOf } from 'node:stream/consumers'
import { serving } from '@webhook-receiver/checks/serving.mjs'
import { createInspector, type Inspector } from '@webhook-receiver/inspector'
import { webhookHandler } from '@webhook-receiver/node'
import { onTestFinished } from 'vitest'

export const SECRET = 'whsec_0123456789abcdef0123456789abcdef'

export const serve = async (listener: RequestListener): Promise<string> =>
  `${await serving(listener)}/webhooks`

/** A receiver that verifies, and the ids that it handled. */
export async function startReceiver(): Promise<{ readonly url: string; readonly ids: string[] }> {
  const ids: string[] = []
  const handler = webhookHandler(SECRET, ({ id }) => void ids.push(id), { onRejected: false })
  return { url: await serve(handler), ids }
}

export async function startInspector(
  options: Parameters<typeof createInspector>[0] = {},
): Promise<{ readonly inspector: Inspector; readonly url: string }> {
  const inspector = createInspector(options)
  const url = await inspector.start()
  onTestFinished(() => inspector.stop())
  return { inspector, url }
}

/** An inspector with a target that is called `it`; without a URL, nobody is there. */
export async function inspecting(
  to: Partial<Parameters<Inspector['addTarget']>[0]> = {},
  options: Parameters<typeof createInspector>[0] = {},
) {
  const { inspector, url } = await startInspector(options)
  const target = inspector.addTarget({
    ...{ id: 'it', url: 'http://localhost:1/', secret: SECRET },
    ...to,
  })
  return { inspector, url, target }
}

/** The URL of a server that responds with a status to all that it reads. */
export function responding(status: () => number = () => 204): Promise<string> {
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

export interface Response {
  readonly status: number | undefined
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** Unlike fetch, it sends any Host and Origin. */
export function ask(
  url: string,
  {
    method = 'GET',
    headers = {},
    body = '',
  }: {
    readonly method?: string
    readonly headers?: Readonly<Record<string, string>>
    readonly body?: string
  } = {},
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent: false }, async (response) =>
      resolve({
        ...{ status: response.statusCode, headers: response.headers },
        text: await textOf(response),
      }),
    )
    sent.on('error', reject)
    sent.end(body)
  })
}

export function post(url: string, path: string, value: object): Promise<Response> {
  return ask(`${url}api/${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(value),
  })
}

/** What the page shows of a delivery: of its last attempt, unless another one is named. */
// biome-ignore lint/suspicious/noExplicitAny: as in Message.
export async function load(url: string, n: number, attempt?: number): Promise<any> {
  const query = `n=${n}${attempt === undefined ? '' : `&attempt=${attempt}`}`
  const { status, text } = await ask(`${url}api/attempt?${query}`)
  if (status !== 200) throw new Error(`${status}: ${text}`)
  return JSON.parse(text)
}

/** Sends what the page asks for, waits for its outcome and loads it. */
// biome-ignore lint/suspicious/noExplicitAny: as in Message.
export async function sendAndLoad(url: string, command: object): Promise<any> {
  const { n } = JSON.parse((await post(url, 'send', command)).text)
  return settled(url, n)
}

/** Waits until a delivery has its outcome, and loads it. */
// biome-ignore lint/suspicious/noExplicitAny: as in Message.
export async function settled(url: string, n: number): Promise<any> {
  await readStream(url, (messages) =>
    rowsOf(messages).some((row) => row.n === n && row.outcome !== 'pending'),
  )
  return load(url, n)
}

/** Reads an event stream until `done` says that it has enough, and closes it. */
export function readStream(
  url: string,
  done: (messages: readonly Message[]) => boolean,
  lastEventId?: string,
): Promise<readonly Message[]> {
  return new Promise((resolve, reject) => {
    const headers = lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId }
    const sent = request(`${url}api/events`, { headers, agent: false }, (response) => {
      const messages: Message[] = []
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk) => {
        text += chunk
        const parts = text.split('\n\n')
        text = parts.pop() ?? ''
        messages.push(...parts.map(toMessage))
        if (!done(messages)) return
        response.destroy()
        resolve(messages)
      })
      response.on('error', reject)
    })
    sent.on('error', reject)
    sent.end()
  })
}

export interface Message {
  readonly id: string | undefined
  readonly event: string
  // biome-ignore lint/suspicious/noExplicitAny: what it holds depends on the event.
  readonly data: any
}

function toMessage(part: string): Message {
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(part)?.[1]
  return { id: field('id'), event: field('event') ?? '', data: JSON.parse(field('data') ?? 'null') }
}

/** The rows of an event stream, as a page keeps them. */
// biome-ignore lint/suspicious/noExplicitAny: as in Message.
export function rowsOf(messages: readonly Message[]): any[] {
  return messages.filter(({ event }) => event === 'rows').flatMap(({ data }) => data)
}
