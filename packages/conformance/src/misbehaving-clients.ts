import { setTimeout as delay } from 'node:timers/promises'
import type { Connection, Reply } from './connection.ts'
import { concatRequests, type DeliveryRequest, type RequestFault } from './delivery-request.ts'
import { refusedRequests } from './refused-requests.ts'

/** What a misbehaving client works with. */
export interface ClientContext {
  open(): Promise<Connection>
  /** A request whose handler runs are counted under `label`. */
  request(label: string, fault?: RequestFault): DeliveryRequest
  /** The next answer, or how the connection ended; `timeout` where neither comes. */
  answer(connection: Connection): Promise<Reply>
  /** How often the handler has run for the delivery of that label. */
  runs(label: string): number
  /** Resolves when the handler has started with the delivery of that label, or the time is up. */
  started(label: string): Promise<void>
  /** Lets the handler go on with a delivery whose content is HELD. */
  release(label: string): void
}

/** A client that misbehaves. `run` resolves to what is wrong with the server's reaction, one sentence each. */
export interface MisbehavingClient {
  readonly name: string
  run(context: ClientContext): Promise<readonly string[]>
}

/** The content of a delivery whose handler waits. */
export const HELD = { held: true } as const

/** What a server may do when its time-out ends. 400 is the receiver's answer, 408 is Node's. */
const TIMED_OUT = ['408', '400', 'closed', 'cut']
/** Whichever is first: the receiver, which reads on for up to 2 s, or the server. */
const REFUSED = ['401', '408']
const UNSIGNED: RequestFault = { headers: { 'X-Webhook-Signature': undefined } }

export const misbehavingClients: readonly MisbehavingClient[] = [
  ...slowClients(),
  ...resettingClients(),
  ...halfClosingClients(),
  ...pipeliningClients(),
  ...refusedRequests.map(({ name, fault, statuses }) =>
    misbehaving(`sends another delivery after a refused request: ${name}`, (context) =>
      deliverAgain(context, context.request('first', fault), statuses.map(String), 0),
    ),
  ),
  misbehaving('sends another delivery after a handler failed', (context) =>
    deliverAgain(context, context.request('first', { content: { boom: true } }), ['500'], 1),
  ),
]

function slowClients(): MisbehavingClient[] {
  const slowClient =
    (fault: RequestFault, expected: readonly string[]) => async (context: ClientContext) => {
      const { head, body } = context.request('slow', fault)
      return sendSlowly(context, head, body, expected)
    }
  return [
    misbehaving('sends its body at a byte per second', slowClient({}, TIMED_OUT)),
    misbehaving('sends an unsigned body at a byte per second', slowClient(UNSIGNED, REFUSED)),
    misbehaving('sends its headers at a byte per second', async (context) => {
      const { head } = context.request('slow')
      return sendSlowly(context, head.slice(0, 30), Buffer.from(head.slice(30)), TIMED_OUT)
    }),
    misbehaving('withholds its body', async (context) => {
      const { head } = context.request('slow')
      return sendSlowly(context, head, Buffer.alloc(0), TIMED_OUT)
    }),
    misbehaving('withholds an unsigned body', async (context) => {
      const { head } = context.request('slow', UNSIGNED)
      return sendSlowly(context, head, Buffer.alloc(0), REFUSED)
    }),
  ]
}

/** Sends the rest at a byte per second until there is an answer, which has to come. */
async function sendSlowly(
  context: ClientContext,
  start: string,
  rest: Buffer,
  expected: readonly string[],
): Promise<string[]> {
  const connection = await context.open()
  await connection.write(Buffer.from(start))
  const stop = new AbortController()
  const writing = (async () => {
    for (let at = 0; at < rest.length && !stop.signal.aborted; at++) {
      await connection.write(rest.subarray(at, at + 1))
      await delay(1000, undefined, { signal: stop.signal }).catch(() => {})
    }
  })()
  const answer = await context.answer(connection)
  stop.abort()
  await writing
  connection.close()
  return [...statusProblems(expected, answer), ...runProblems(context, 'slow', 0)]
}

function resettingClients(): MisbehavingClient[] {
  const stages: readonly (readonly [string, (request: DeliveryRequest) => Buffer])[] = [
    ['after the request line', ({ head }) => Buffer.from(head.slice(0, head.indexOf('\n') + 1))],
    ['inside the headers', ({ head }) => Buffer.from(head.slice(0, head.length / 2))],
    ['after the headers', ({ head }) => Buffer.from(head)],
    ['inside the body', ({ head, body }) => Buffer.from(head + body.subarray(0, 40).toString())],
  ]
  const early = stages.flatMap(([stage, cut]) =>
    [{}, UNSIGNED].map((fault) =>
      misbehaving(`resets ${stage}${fault === UNSIGNED ? ', unsigned' : ''}`, async (context) => {
        const connection = await context.open()
        await connection.write(cut(context.request('reset', fault)))
        await serverHasRead()
        connection.reset()
        await serverHasRead()
        return runProblems(context, 'reset', 0)
      }),
    ),
  )
  return [
    ...early,
    misbehaving('resets after the body, before the answer', async (context) => {
      const connection = await context.open()
      await connection.write(concatRequests(context.request('reset', { content: HELD })))
      await context.started('reset')
      connection.reset()
      await serverHasRead()
      context.release('reset')
      await serverHasRead()
      return runProblems(context, 'reset', 1)
    }),
  ]
}

/** Waits until the server has read what was sent: a reset discards the rest. */
function serverHasRead(): Promise<void> {
  return delay(25)
}

function halfClosingClients(): MisbehavingClient[] {
  const halfClosing = (
    name: string,
    cut: (request: DeliveryRequest) => Buffer,
    expected: string[],
    runs: number,
  ) =>
    misbehaving(`closes its sending side ${name}`, async (context) => {
      const connection = await context.open()
      await connection.write(cut(context.request('half-closed')))
      connection.halfClose()
      const answer = await context.answer(connection)
      connection.close()
      return [...statusProblems(expected, answer), ...runProblems(context, 'half-closed', runs)]
    })
  return [
    halfClosing('inside the headers', ({ head }) => Buffer.from(head.slice(0, 60)), TIMED_OUT, 0),
    halfClosing('after the headers', ({ head }) => Buffer.from(head), TIMED_OUT, 0),
    halfClosing(
      'inside the body',
      ({ head, body }) => Buffer.from(head + body.subarray(0, 40).toString()),
      TIMED_OUT,
      0,
    ),
    halfClosing('after the request', (request) => concatRequests(request), ['2xx'], 1),
  ]
}

function pipeliningClients(): MisbehavingClient[] {
  return [
    misbehaving('sends two deliveries in one write', async (context) => {
      const connection = await context.open()
      await connection.write(concatRequests(context.request('first'), context.request('second')))
      const answers = [await context.answer(connection), await context.answer(connection)]
      connection.close()
      return [
        ...answers.flatMap((answer) => statusProblems(['2xx'], answer)),
        ...runProblems(context, 'first', 1),
        ...runProblems(context, 'second', 1),
      ]
    }),
    ...refusedRequests.map(({ name, fault, statuses }) =>
      misbehaving(`sends a delivery in one write with a refused one: ${name}`, async (context) => {
        const connection = await context.open()
        const bytes = concatRequests(context.request('first', fault), context.request('second'))
        void connection.write(bytes)
        const answer = await context.answer(connection)
        const problems = [
          ...statusProblems(statuses.map(String), answer),
          ...runProblems(context, 'first', 0),
        ]
        problems.push(...(await secondDeliveryProblems(context, connection, answer)))
        connection.close()
        return problems
      }),
    ),
  ]
}

/** Sends one request, and then a genuine delivery on the same connection. */
async function deliverAgain(
  context: ClientContext,
  first: DeliveryRequest,
  expected: readonly string[],
  runs: number,
): Promise<string[]> {
  const connection = await context.open()
  void connection.write(concatRequests(first))
  const answer = await context.answer(connection)
  const problems = [...statusProblems(expected, answer), ...runProblems(context, 'first', runs)]
  if (!closes(answer)) void connection.write(concatRequests(context.request('second')))
  problems.push(...(await secondDeliveryProblems(context, connection, answer)))
  connection.close()
  return problems
}

/** The second delivery is answered, unless the first answer said that the connection closes. */
async function secondDeliveryProblems(
  context: ClientContext,
  connection: Connection,
  first: Reply,
): Promise<string[]> {
  const second = await context.answer(connection)
  return closes(first)
    ? // Node also handles what came in the same write. The sender sees no answer and delivers again: one copy too many,
      // but none is lost.
      [
        ...statusProblems(['closed'], second),
        ...(context.runs('second') > 0 ? runProblems(context, 'second', 1) : []),
      ]
    : [...statusProblems(['2xx'], second), ...runProblems(context, 'second', 1)]
}

function closes(reply: Reply): boolean {
  return typeof reply === 'string' || /close/i.test(reply.headers.get('connection') ?? '')
}

function statusProblems(expected: readonly string[], reply: Reply): string[] {
  const outcome = typeof reply === 'string' ? reply : String(reply.status)
  const right = expected.includes(outcome) || (expected.includes('2xx') && /^2\d\d$/.test(outcome))
  return right ? [] : [`expected ${expected.join(' or ')}, observed ${outcome}`]
}

function runProblems(context: ClientContext, label: string, expected: number): string[] {
  const runs = context.runs(label)
  return runs === expected
    ? []
    : [`expected ${expected} handler runs for ${label}, observed ${runs}`]
}

function misbehaving(name: string, run: MisbehavingClient['run']): MisbehavingClient {
  return { name, run }
}
