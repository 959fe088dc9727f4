import { setTimeout as delay } from 'node:timers/promises'
import type { Connection, Reply } from './connection.ts'
import { type Fault, inOneWrite, type RudeRequest } from './rude-delivery.ts'
import { rudeRefusals } from './rude-refusals.ts'

/** What a rude client has to work with. */
export interface RudeBench {
  open(): Promise<Connection>
  /** A request whose handler runs are counted under `label`. */
  request(label: string, fault?: Fault): RudeRequest
  /** The next answer, or how the connection ended; `timeout` where neither comes. */
  answer(connection: Connection): Promise<Reply>
  /** How often the handler has run for the delivery of that label. */
  runs(label: string): number
  /** Resolves when the handler has begun with the delivery of that label, or does not in time. */
  begun(label: string): Promise<void>
  /** Lets the handler go on with a delivery whose content is HELD. */
  release(label: string): void
}

/** A client that keeps to no manners, and what is wrong with the server's reaction: one sentence each. */
export interface RudeClient {
  readonly name: string
  play(bench: RudeBench): Promise<readonly string[]>
}

/** The content of a delivery whose handler waits. */
export const HELD = { held: true } as const

/** What a server that loses patience may do. 400 is the receiver's, 408 is Node's. */
const CUT_OFF = ['408', '400', 'closed', 'cut']
/** Whichever is first: the receiver, which reads on for up to 2 s, or the server. */
const REFUSED = ['401', '408']
const UNSIGNED: Fault = { headers: { 'X-Webhook-Signature': undefined } }

export const rudeClients: readonly RudeClient[] = [
  ...slow(),
  ...resets(),
  ...halfCloses(),
  ...pipelines(),
  ...rudeRefusals.map(({ name, fault, statuses }) =>
    client(`goes on after a refusal: ${name}`, (bench) =>
      goesOn(bench, bench.request('first', fault), statuses.map(String), 0),
    ),
  ),
  client('goes on after a handler that failed', (bench) =>
    goesOn(bench, bench.request('first', { content: { boom: true } }), ['500'], 1),
  ),
]

function slow(): RudeClient[] {
  const dribbled = (fault: Fault, wanted: readonly string[]) => async (bench: RudeBench) => {
    const { head, body } = bench.request('slow', fault)
    return dribble(bench, head, body, wanted)
  }
  return [
    client('sends its body at a byte per second', dribbled({}, CUT_OFF)),
    client('sends an unsigned body at a byte per second', dribbled(UNSIGNED, REFUSED)),
    client('sends its headers at a byte per second', async (bench) => {
      const { head } = bench.request('slow')
      return dribble(bench, head.slice(0, 30), Buffer.from(head.slice(30)), CUT_OFF)
    }),
    client('withholds its body', async (bench) => {
      const { head } = bench.request('slow')
      return dribble(bench, head, Buffer.alloc(0), CUT_OFF)
    }),
    client('withholds an unsigned body', async (bench) => {
      const { head } = bench.request('slow', UNSIGNED)
      return dribble(bench, head, Buffer.alloc(0), REFUSED)
    }),
  ]
}

/** Sends the rest at a byte per second until there is an answer, which has to come. */
async function dribble(
  bench: RudeBench,
  start: string,
  rest: Buffer,
  wanted: readonly string[],
): Promise<string[]> {
  const connection = await bench.open()
  await connection.write(Buffer.from(start))
  const stop = new AbortController()
  const writing = (async () => {
    for (let at = 0; at < rest.length && !stop.signal.aborted; at++) {
      await connection.write(rest.subarray(at, at + 1))
      await delay(1000, undefined, { signal: stop.signal }).catch(() => {})
    }
  })()
  const answer = await bench.answer(connection)
  stop.abort()
  await writing
  connection.close()
  return [...unless(wanted, answer), ...ran(bench, 'slow', 0)]
}

function resets(): RudeClient[] {
  const stages: readonly (readonly [string, (request: RudeRequest) => Buffer])[] = [
    ['after the request line', ({ head }) => Buffer.from(head.slice(0, head.indexOf('\n') + 1))],
    ['inside the headers', ({ head }) => Buffer.from(head.slice(0, head.length / 2))],
    ['after the headers', ({ head }) => Buffer.from(head)],
    ['inside the body', ({ head, body }) => Buffer.from(head + body.subarray(0, 40).toString())],
  ]
  const early = stages.flatMap(([stage, cut]) =>
    [{}, UNSIGNED].map((fault) =>
      client(`resets ${stage}${fault === UNSIGNED ? ', unsigned' : ''}`, async (bench) => {
        const connection = await bench.open()
        await connection.write(cut(bench.request('reset', fault)))
        await taken()
        connection.reset()
        await taken()
        return ran(bench, 'reset', 0)
      }),
    ),
  )
  return [
    ...early,
    client('resets after the body, before the answer', async (bench) => {
      const connection = await bench.open()
      await connection.write(inOneWrite(bench.request('reset', { content: HELD })))
      await bench.begun('reset')
      connection.reset()
      await taken()
      bench.release('reset')
      await taken()
      return ran(bench, 'reset', 1)
    }),
  ]
}

/** Time for the server to take up what was sent; a reset discards what it has not read. */
function taken(): Promise<void> {
  return delay(25)
}

function halfCloses(): RudeClient[] {
  const shut = (
    name: string,
    cut: (request: RudeRequest) => Buffer,
    wanted: string[],
    runs: number,
  ) =>
    client(`shuts its side ${name}`, async (bench) => {
      const connection = await bench.open()
      await connection.write(cut(bench.request('shut')))
      connection.halfClose()
      const answer = await bench.answer(connection)
      connection.close()
      return [...unless(wanted, answer), ...ran(bench, 'shut', runs)]
    })
  return [
    shut('inside the headers', ({ head }) => Buffer.from(head.slice(0, 60)), CUT_OFF, 0),
    shut('after the headers', ({ head }) => Buffer.from(head), CUT_OFF, 0),
    shut(
      'inside the body',
      ({ head, body }) => Buffer.from(head + body.subarray(0, 40).toString()),
      CUT_OFF,
      0,
    ),
    shut('after the request', (request) => inOneWrite(request), ['2xx'], 1),
  ]
}

function pipelines(): RudeClient[] {
  return [
    client('sends two deliveries in one write', async (bench) => {
      const connection = await bench.open()
      await connection.write(inOneWrite(bench.request('first'), bench.request('second')))
      const answers = [await bench.answer(connection), await bench.answer(connection)]
      connection.close()
      return [
        ...answers.flatMap((answer) => unless(['2xx'], answer)),
        ...ran(bench, 'first', 1),
        ...ran(bench, 'second', 1),
      ]
    }),
    ...rudeRefusals.map(({ name, fault, statuses }) =>
      client(`sends a delivery in one write with a refused one: ${name}`, async (bench) => {
        const connection = await bench.open()
        const bytes = inOneWrite(bench.request('first', fault), bench.request('second'))
        void connection.write(bytes)
        const answer = await bench.answer(connection)
        const problems = [...unless(statuses.map(String), answer), ...ran(bench, 'first', 0)]
        problems.push(...(await followed(bench, connection, answer)))
        connection.close()
        return problems
      }),
    ),
  ]
}

/** A refusal, and then a delivery on the same connection. */
async function goesOn(
  bench: RudeBench,
  first: RudeRequest,
  wanted: readonly string[],
  runs: number,
): Promise<string[]> {
  const connection = await bench.open()
  void connection.write(inOneWrite(first))
  const answer = await bench.answer(connection)
  const problems = [...unless(wanted, answer), ...ran(bench, 'first', runs)]
  if (!closes(answer)) void connection.write(inOneWrite(bench.request('second')))
  problems.push(...(await followed(bench, connection, answer)))
  connection.close()
  return problems
}

/** The second delivery is answered where the connection lives on; where it does not, the first answer has said so. */
async function followed(bench: RudeBench, connection: Connection, first: Reply): Promise<string[]> {
  const second = await bench.answer(connection)
  return closes(first)
    ? // Node hands on what was in the same write, though the answer before it says that it closes. A sender that
      // sees no answer delivers again, so that is a copy more and none less.
      [...unless(['closed'], second), ...(bench.runs('second') > 0 ? ran(bench, 'second', 1) : [])]
    : [...unless(['2xx'], second), ...ran(bench, 'second', 1)]
}

function closes(reply: Reply): boolean {
  return typeof reply === 'string' || /close/i.test(reply.headers.get('connection') ?? '')
}

function unless(wanted: readonly string[], reply: Reply): string[] {
  const outcome = typeof reply === 'string' ? reply : String(reply.status)
  const right = wanted.includes(outcome) || (wanted.includes('2xx') && /^2\d\d$/.test(outcome))
  return right ? [] : [`expected ${wanted.join(' or ')}, observed ${outcome}`]
}

function ran(bench: RudeBench, label: string, wanted: number): string[] {
  const runs = bench.runs(label)
  return runs === wanted ? [] : [`expected ${wanted} handler runs for ${label}, observed ${runs}`]
}

function client(name: string, play: RudeClient['play']): RudeClient {
  return { name, play }
}
