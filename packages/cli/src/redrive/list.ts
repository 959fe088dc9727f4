import { type KeptRequest, openKept } from '@webhook-receiver/quarantine'
import type { Paint } from '../colour.ts'
import type { CommandContext } from '../command-context.ts'
import { type ExitCode, Failure, messageOf, UsageError } from '../failure.ts'
import { printable, printableLines, writeJson } from '../printable.ts'

type Outputs = Pick<CommandContext, 'stdout' | 'stderr'>

/** One line for each request; JSON where there is no paint. 1 where a file cannot be read. */
export async function writeKeptList(
  folder: string,
  files: readonly string[],
  { stdout, stderr }: Outputs,
  paint: Paint | undefined,
): Promise<ExitCode> {
  let code: ExitCode = 0
  for (const file of files) {
    const request = await openKept(folder, file).catch((error: unknown) => {
      stderr.write(`${printable(`${file}: ${messageOf(error)}`)}\n`)
      code = 1
    })
    if (!request) continue
    const { reason, authentic, address } = request.rejected ?? {}
    const received_at = new Date(request.receivedAt).toISOString()
    if (!paint) {
      const bytes = request.body.length
      writeJson(stdout, { file, received_at, reason, authentic, address, bytes })
    } else {
      const facts = [received_at, reason ?? 'capture', address ?? 'address unknown', file]
      stdout.write(`${facts.map((fact) => printable(String(fact))).join('  ')}\n`)
    }
  }
  stderr.write(`${files.length} in the folder.\n`)
  return code
}

/** The head and the body of one request. */
export async function writeKeptRequest(
  folder: string,
  name: string,
  { stdout }: Outputs,
): Promise<ExitCode> {
  if (/[/\\]/.test(name)) throw new UsageError('--show takes the name of a file in the folder.')
  const request = await openKept(folder, name).catch((error: unknown) => {
    throw new Failure(`${printable(`${name}: ${messageOf(error)}`)}.`)
  })
  stdout.write(`${printableLines(linesOf(request).join('\n'))}\n`)
  return 0
}

function linesOf({ method, target, headers, body, rejected }: KeptRequest): readonly string[] {
  const secrets = rejected?.secrets?.map(({ name, fingerprint }) => `${name ?? ''} ${fingerprint}`)
  return [
    ...(rejected ? [`rejected: ${rejected.status} ${rejected.reason}`] : []),
    ...(rejected?.address ? [`from: ${rejected.address}`] : []),
    ...(secrets ? [`secrets tried: ${secrets.map((text) => text.trim()).join(', ')}`] : []),
    '',
    `${method} ${target}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    '',
    Buffer.from(body).toString(),
  ]
}
