import { defaultLimit } from '@webhook-receiver/core/internal'
import { isLoopback, listen } from '@webhook-receiver/emulator/internal'
import type { Inspector } from '@webhook-receiver/inspector'
import type { Capture } from '@webhook-receiver/quarantine/internal'
import { captureFolder } from '../captures/files.ts'
import {
  type CommandContext,
  type ExitCode,
  Failure,
  messageOf,
  printable,
  UsageError,
  whenAborted,
} from '../console/index.ts'
import {
  apiKeyFromEnv,
  readScheme,
  readVerifier,
  type SigningOptions,
  targetAt,
} from '../options/index.ts'
import { makeInspector, started, type UiOptions } from '../ui.ts'
import { createDisplay } from './display.ts'
import { forward } from './forward.ts'
import { type ReceivedRequest, receive } from './received-request.ts'
import { startRows } from './start-rows.ts'

export interface ListenOptions extends UiOptions, SigningOptions {
  readonly tolerance?: number | undefined
  readonly port?: number | undefined
  readonly host: string
  readonly count?: number | undefined
  readonly save?: string | undefined
  readonly forward?: URL | undefined
  readonly verbose?: true | undefined
  readonly verify: boolean
  readonly limit?: number | undefined
}

/** Why it ends by itself. */
const ALL_CAME = 'all came'

/** Receives requests until there were `count`, or until Ctrl-C. With `count`, ends with 1 if one of them was rejected. */
export async function listenTo(
  { json, host, save, count, verify, forward: to, verbose, ...options }: ListenOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { stderr, now } = context
  const { port = to ? 4000 : 3000 } = options
  const { secrets, ...chosen } = verify
    ? await readVerifier(options, context)
    : { ...(await readScheme(options)), secrets: undefined, tolerance: undefined }
  const { scheme } = chosen
  const { limit = defaultLimit(scheme) } = options
  if (to) targetAt(to, scheme)
  if (to && isLoopback(to.hostname) && to.port === String(port)) {
    throw new UsageError(`--forward is where listen itself listens. Use another --port.`)
  }
  const keep = save === undefined ? undefined : await captureFolder(save)
  const rules = { ...chosen, limit, apiKey: apiKeyFromEnv(context) }
  const about = { replies: to === undefined, forwardsTo: to?.href }
  const inspector = await makeInspector(options, { ...rules, ...about }, context)
  const page = await inspector?.start()
  const over = new AbortController()
  const forwarding =
    to &&
    ((capture: Capture) =>
      forward(capture, to, { scheme, signal: context.signal, tell: display.tell }))
  const display = createDisplay(
    {
      ...{ json, verbose, rules, secrets },
      saves: keep !== undefined,
      forward: forwarding,
      onShown(request, shown) {
        if (inspector && target) inspect(inspector, target, request)
        if (shown === count) over.abort(ALL_CAME)
      },
    },
    context,
  )
  const how = {
    ...rules,
    ...{ secrets, keep, now, reply: () => inspector?.reply() ?? {} },
    ...{ forward: forwarding, signal: over.signal },
  } satisfies Parameters<typeof receive>[2]
  const server = await listen(
    (req, res) => {
      receive(req, res, how).then(display.show, (error) => {
        stderr.write(`A request failed: ${printable(String(error))}\n`)
        res.destroy()
      })
    },
    host,
    port,
  ).catch(async (error: unknown) => {
    await inspector?.stop()
    const ownPort = to
      ? ''
      : ` If your server has it, add --forward localhost:${port}/… with the path of your route.`
    const inUse = messageOf(error).includes('is in use') ? ownPort : ''
    throw new Failure(messageOf(error).replace('`port`', '--port') + inUse)
  })
  const target = inspector?.addTarget({ url: server.url, secret: secrets })
  const rows = await startRows(server.url, { ...options, secrets, save, to }, scheme, context)
  const keys = started('listen', rows, page, { ...options, json }, context, display.selection)
  await whenAborted(AbortSignal.any([keys.signal, over.signal]))
  over.abort()
  keys.end()
  await server.close()
  await display.end()
  await inspector?.stop()
  stderr.write(`${display.totals()}\n`)
  return over.signal.reason === ALL_CAME && display.hasFailed() ? 1 : 0
}

/** Adds a request to the page. */
function inspect(
  inspector: Inspector,
  target: ReturnType<Inspector['addTarget']>,
  { capture, receivedAt, status, duration, unread, problem, forwarded }: ReceivedRequest,
): void {
  const took = forwarded ?? { status, duration }
  const rejection = unread && { status: took.status ?? 400, reason: unread, detail: problem ?? '' }
  const { content: _, ...response } = forwarded ?? {}
  void inspector.received(
    {
      ...capture,
      ...{ at: receivedAt, status: took.status, duration: took.duration },
      ...(rejection && { rejection }),
      ...(forwarded && { response }),
    },
    target,
  )
}
