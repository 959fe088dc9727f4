import type { Scheme } from '@webhook-receiver/core'
import { defaultLimit } from '@webhook-receiver/core/internal'
import { isLoopback, listen } from '@webhook-receiver/emulator/internal'
import { sharesSecret } from '@webhook-receiver/schemes/neighbours'
import { captureFolder } from '../captures/files.ts'
import { explain } from '../captures/verdict.ts'
import {
  type CommandContext,
  counted,
  createPace,
  Failure,
  messageOf,
  paintFor,
  printable,
  type StartRow,
  shellWord,
  UsageError,
  whenAborted,
  writeJson,
} from '../console/index.ts'
import {
  apiKeyFromEnv,
  findVariable,
  readScheme,
  readVerifier,
  type SigningOptions,
  targetAt,
} from '../options/index.ts'
import { makeInspector, started, type UiOptions } from '../ui.ts'
import { forward } from './forward.ts'
import { otherServices } from './other-service.ts'
import { type ReceivedRequest, receive } from './received-request.ts'
import { requestJson, requestLines, type ShownRequest } from './report.ts'
import { createSelection } from './selection.ts'

/** While so many requests wait to be shown, the cause of a wrong signature is not searched for: each keeps its body. */
const MOST_WAITING = 10

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

/** Receives requests until there were `count`, or until Ctrl-C. */
export async function listenTo(
  { json, host, save, count, verify, forward: to, verbose, ...options }: ListenOptions,
  context: CommandContext,
): Promise<void> {
  const { stdout, stderr, env, now } = context
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
  const paint = paintFor(stdout, env)
  const pace = createPace(now)
  const tally = { requests: 0, valid: 0, saved: 0 }
  const over = new AbortController()
  const totals = () => {
    const { requests, valid, saved } = tally
    const verified = verify ? `, ${valid} valid, ${requests - valid} rejected` : ''
    return `${counted(requests, 'request')}${verified}${keep ? `, ${saved} saved` : ''}.`
  }

  /** One after the other: nobody who sends waits for the search for the cause of a wrong signature. */
  let last: Promise<void> = Promise.resolve()
  let waiting = 0
  const show = async (received: ReceivedRequest) => {
    waiting -= 1
    const { capture, path, unread, problem, forwarded } = received
    const { status, duration } = forwarded ?? received
    const verdict =
      received.verdict && secrets !== undefined && waiting < MOST_WAITING
        ? await explain(received.verdict, capture, secrets, rules)
        : received.verdict
    const isElsewhere = verdict?.valid === false && /_m(?:issing|ismatch)$/.test(verdict.reason)
    const others = isElsewhere ? await otherServices(capture.headers, scheme) : []
    const request = { ...received, verdict, others }
    tally.requests += 1
    if (verdict?.valid) tally.valid += 1
    if (path !== undefined) tally.saved += 1
    if (inspector && target) {
      const rejection = unread && {
        rejection: { status: status ?? 400, reason: unread, detail: problem ?? '' },
      }
      const { content: _, ...response } = forwarded ?? {}
      const seen = { at: received.receivedAt, status, duration, ...rejection }
      void inspector.received({ ...capture, ...seen, ...(forwarded && { response }) }, target)
    }
    if (json) writeJson(stdout, requestJson(request))
    else {
      const shown = pace((status ?? 500) >= 300 || verdict?.valid === false)
      if (shown === 'line') selection.print(requestLines(request, paint, scheme, verbose))
      if (shown === 'totals') selection.print([`More than 20 a second: ${totals()}`])
      selection.add(request)
    }
    if (tally.requests === count) over.abort()
  }
  /** As it came, with its signature, which may be too old by now. */
  const resend = async (request: ShownRequest) => {
    if (!how.forward) return
    const receivedAt = now()
    const forwarded = await how.forward(request.capture)
    const { status, duration } = forwarded
    const again = { ...request, receivedAt, forwarded, status, duration }
    selection.print(requestLines(again, paint, scheme, verbose))
  }
  const selection = createSelection(stdout, paint, scheme, to && resend)
  const server = await listen(
    (req, res) => {
      receive(req, res, how).then(
        (request) => {
          waiting += 1
          last = last.then(() => show(request))
        },
        (error) => {
          stderr.write(`A request failed: ${printable(String(error))}\n`)
          res.destroy()
        },
      )
    },
    host,
    port,
  ).catch(async (error: unknown) => {
    await inspector?.stop()
    throw new Failure(messageOf(error).replace('`port`', '--port'))
  })
  const target = inspector?.addTarget({ url: server.url, secret: secrets })
  const rows: readonly StartRow[] = [
    ['Listening on', server.url],
    ['Forwards to', to?.href],
    ['Secret', await secretPlace({ ...options, verify }, scheme, context)],
    ['Service', options.scheme && scheme.name],
    ['Saves to', save],
    ['Try', verify ? sendLine(server.url, options, scheme) : undefined],
  ]
  const keys = started('listen', rows, page, { ...options, json }, context, selection)
  const signal = AbortSignal.any([keys.signal, over.signal])
  const how = {
    ...rules,
    ...{ secrets, keep, signal, now, reply: () => inspector?.reply() ?? {} },
    forward: to && ((capture) => forward(capture, to, { scheme, signal: context.signal })),
  } satisfies Parameters<typeof receive>[2]
  await whenAborted(signal)
  keys.end()
  selection.end()
  await server.close()
  await last
  await inspector?.stop()
  stderr.write(`${totals()}\n`)
}

/** Where the secret is from. */
async function secretPlace(
  { verify, secretFile, secretEnv }: Pick<ListenOptions, 'verify' | 'secretFile' | 'secretEnv'>,
  scheme: Scheme,
  context: CommandContext,
): Promise<string> {
  if (!verify) return 'none: nothing is verified'
  const { name } = await findVariable(secretEnv?.[0], scheme, context)
  return `from ${secretFile ?? secretEnv?.join(', ') ?? name}`
}

/** The command that sends a delivery here, if it can sign for the service. */
function sendLine(url: string, options: SigningOptions, scheme: Scheme): string | undefined {
  if (!scheme.sign || !sharesSecret(scheme) || scheme.signsUrl) return undefined
  const flags = Object.entries({
    scheme: options.scheme,
    'secret-file': options.secretFile,
    'secret-env': options.secretEnv?.[0],
  }).map(([flag, value]) => (value === undefined ? '' : ` --${flag} ${shellWord(value)}`))
  return `npx webhook-receiver send ${url}${flags.join('')}`
}
