import { rejection } from '../reject/rejection.ts'
import type { HeaderLookup } from './scheme.ts'

/** `identity`, and what some services write instead. It names no coding, and the bytes are verified as they are in any case. */
const NO_CODING = /^[ \t]*(?:identity|utf-?8|none|binary)[ \t]*$/i

/**
 * Checks the headers that say how the body is sent: the content coding and the declared length.
 *
 * @throws WebhookError 415 or 413.
 */
export function checkBodyHeaders(request: { readonly header: HeaderLookup }, limit: number): void {
  const coding = request.header('content-encoding')
  if (coding && !NO_CODING.test(coding)) {
    throw rejection('encoding_not_supported', { coding })
  }
  // Anything but digits is rejected by the HTTP parser; the reader counts the bytes in any case.
  const announced = request.header('content-length')
  if (announced && Number(announced) > limit) {
    throw rejection('body_too_large', { announced, limit })
  }
}
