import { startTimer } from '../async/timeout.ts'

/** What of a stream of HTTP/2 is needed to close it: Node's has it all. */
interface ClosableStream {
  readonly writableFinished: boolean
  once(event: 'finish', listener: () => void): unknown
  close(code: number): void
}

/** NO_ERROR (RFC 9113, section 7). */
const NO_ERROR = 0

/**
 * Closes the stream of an HTTP/2 request when its response is complete (RFC 9113, section 8.1). There is no
 * `Connection: close` in HTTP/2, and a sender that leaves its body open would keep the stream, and what the server
 * keeps for it, as long as the connection lives. Does nothing for HTTP/1.1.
 */
export function closeAfterResponse(request: object): void {
  const stream: unknown = Reflect.get(request, 'stream')
  if (!isClosable(stream)) return
  // Not at once: Node 20 ends the process if a stream is closed before its last frame has left.
  const close = () => startTimer(0, () => stream.close(NO_ERROR))
  if (stream.writableFinished) close()
  else stream.once('finish', close)
}

function isClosable(stream: unknown): stream is ClosableStream {
  return (
    typeof stream === 'object' &&
    stream !== null &&
    ['once', 'close'].every((method) => typeof Reflect.get(stream, method) === 'function')
  )
}
