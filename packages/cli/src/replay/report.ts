import type { ReceivedResponse } from '@webhook-receiver/emulator/internal'
import type { NamedCapture } from '../captures/files.ts'
import {
  type CommandContext,
  noResponse,
  type Paint,
  printable,
  tell,
  writeJson,
} from '../console/index.ts'

/** A capture, and the result of sending it. */
export type Replayed =
  | { readonly capture: NamedCapture; readonly response: ReceivedResponse }
  /** It was not sent. */
  | { readonly path: string; readonly problem: string }

/** One line; JSON where there is no paint. */
export function writeReplayed(
  replayed: Replayed,
  { stdout, stderr }: Pick<CommandContext, 'stdout' | 'stderr'>,
  paint: Paint | undefined,
): void {
  if ('problem' in replayed) {
    const { path, problem } = replayed
    if (paint) tell(stderr, `${problem} It was not sent.`)
    else writeJson(stdout, { capture: path, sent: false, status: null, error: problem })
    return
  }
  const { capture, response } = replayed
  const { status = null, error } = response
  const milliseconds = Math.round(response.duration)
  if (paint === undefined) {
    const received_at = new Date(capture.receivedAt).toISOString()
    writeJson(stdout, {
      capture: capture.path,
      sent: true,
      received_at,
      status,
      error,
      milliseconds,
    })
    return
  }
  const outcome = status === null ? noResponse(error) : String(status)
  const [style, mark] = isAccepted(response) ? (['green', '✓'] as const) : (['red', '✗'] as const)
  stdout.write(
    `${paint(style, `${mark} ${outcome}`)}  ${milliseconds} ms  ${printable(capture.path)}\n`,
  )
}

export function isAccepted({ status = 0 }: ReceivedResponse): boolean {
  return status >= 200 && status < 300
}
