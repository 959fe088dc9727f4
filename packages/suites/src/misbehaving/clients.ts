import { setTimeout as delay } from 'node:timers/promises'
import type { Connection, Reply } from '@webhook-receiver/conformance/internal'
import {
  concatRequests,
  type DeliveryRequest,
  type RequestFault,
} from '@webhook-receiver/conformance/internal'
import { CONTRACT_HEADERS } from '@webhook-receiver/core/internal'
import {
  type ClientContext,
  type MisbehavingClient,
  misbehaving,
  runProblems,
  statusProblems,
} from './client.ts'
import { rejectedRequests } from './rejected-requests.ts'

/** The content of a delivery whose handler waits. */
export const HELD = { held: true } as const

/** What a server may do when its timeout ends. 400 is the receiver's response, 408 is Node's. */
const TIMED_OUT = ['408', '400', 'closed', 'cut']
/** Whichever is first: the receiver, which reads on for up to 2 s, or the server. */
const REJECTED = ['401', '408']
const UNSIGNED: RequestFault = { headers: { [CONTRACT_HEADERS.signature]: undefined } }

export const misbehavingClients: readonly MisbehavingClient[] = [
  ...slowClients(),
  ...resettingClients(),
  ...halfClosingClients(),
  ...pipeliningClients(),
  ...rejectedRequests.map(({ name, fault, statuses }) =>
    misbehaving(`sends another delivery after a rejected request: ${name}`, (context) =>
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
    misbehaving('sends an unsigned body at a byte per second', slowClient(UNSIGNED, REJECTED)),
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
      return sendSlowly(context, head, Buffer.alloc(0), REJECTED)
    }),
  ]
}

/** Sends the rest at a byte per second until there is a response, which has to come. */
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
  const response = await context.response(connection)
  stop.abort()
  await writing
  connection.close()
  return [...statusProblems(expected, response), ...runProblems(context, 'slow', 0)]
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
    misbehaving('resets after the body, before the response', async (context) => {
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
      const response = await context.response(connection)
      connection.close()
      return [...statusProblems(expected, response), ...runProblems(context, 'half-closed', runs)]
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
    halfClosing('after the request', (request) => concatRequests(request), ['accepted'], 1),
  ]
}

function pipeliningClients(): MisbehavingClient[] {
  return [
    misbehaving('sends two deliveries in one write', async (context) => {
      const connection = await context.open()
      await connection.write(concatRequests(context.request('first'), context.request('second')))
      const responses = [await context.response(connection), await context.response(connection)]
      connection.close()
      return [
        ...responses.flatMap((response) => statusProblems(['accepted'], response)),
        ...runProblems(context, 'first', 1),
        ...runProblems(context, 'second', 1),
      ]
    }),
    ...rejectedRequests.map(({ name, fault, statuses }) =>
      misbehaving(`sends a delivery in one write with a rejected one: ${name}`, async (context) => {
        const connection = await context.open()
        const bytes = concatRequests(context.request('first', fault), context.request('second'))
        void connection.write(bytes)
        const response = await context.response(connection)
        const problems = [
          ...statusProblems(statuses.map(String), response),
          ...runProblems(context, 'first', 0),
        ]
        problems.push(...(await secondDeliveryProblems(context, connection, response)))
        connection.close()
        return problems
      }),
    ),
  ]
}

/** Sends one request, and then a delivery on the same connection. */
async function deliverAgain(
  context: ClientContext,
  first: DeliveryRequest,
  expected: readonly string[],
  runs: number,
): Promise<string[]> {
  const connection = await context.open()
  void connection.write(concatRequests(first))
  const response = await context.response(connection)
  const problems = [...statusProblems(expected, response), ...runProblems(context, 'first', runs)]
  if (!closes(response)) void connection.write(concatRequests(context.request('second')))
  problems.push(...(await secondDeliveryProblems(context, connection, response)))
  connection.close()
  return problems
}

/** The second delivery gets a response, unless the first response said that the connection closes. */
async function secondDeliveryProblems(
  context: ClientContext,
  connection: Connection,
  first: Reply,
): Promise<string[]> {
  const second = await context.response(connection)
  return closes(first)
    ? // Node also handles what came in the same write. The sender sees no response and retries: one copy too many,
      // but none is lost.
      [
        ...statusProblems(['closed'], second),
        ...(context.runs('second') > 0 ? runProblems(context, 'second', 1) : []),
      ]
    : [...statusProblems(['accepted'], second), ...runProblems(context, 'second', 1)]
}

function closes(reply: Reply): boolean {
  return typeof reply === 'string' || /close/i.test(reply.headers.get('connection') ?? '')
}
