import {
  type Capture,
  CaptureError,
  readCapture as parseCapture,
} from '@webhook-receiver/quarantine'
import { Failure } from './failure.ts'
import { printable } from './printable.ts'

export { type Capture, writeCapture } from '@webhook-receiver/quarantine'

/**
 * Reads the text of a capture file.
 *
 * @throws Failure that says what is wrong with it and names the file.
 */
export function readCapture(text: string, name: string): Capture {
  try {
    return parseCapture(text)
  } catch (error) {
    if (!(error instanceof CaptureError)) throw error
    throw new Failure(`${name} is not a capture file: ${printable(error.message)}.`)
  }
}
