import { WebhookApiError } from '@webhook-receiver/client'
import { cut, Failure, printable, UsageError } from '../console/index.ts'

/** How much of what the service said is shown, in characters. */
const SHOWN = 500

/** Calls the client, and words its errors for the command line. */
export async function callClient<Result>(call: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await call()
  } catch (error) {
    if (error instanceof WebhookApiError) throw failureOf(error)
    if (error instanceof TypeError) throw new UsageError(withFlagNames(error.message))
    throw error
  }
}

/** With what the service said, where that can hold no secret. */
function failureOf({ message, reason, body = '' }: WebhookApiError): Failure {
  // The body of a 2xx may hold the secret in any form; what looks like one in another is left out.
  const said = reason === 'rejected' ? body.replace(/whsec_[\w+/=-]+/g, '[a secret]') : ''
  const lines = [
    printable(withFlagNames(message)),
    said &&
      !printable(message).includes(printable(said.trim())) &&
      `The service said: ${cut(printable(said), SHOWN)}`,
  ]
  return new Failure(lines.filter(Boolean).join('\n'))
}

/** Replaces the names of the client's options by the flags of the command line. */
function withFlagNames(message: string): string {
  return message
    .replace(', with `allowInsecureLoopback`', '')
    .replace(/`([a-zA-Z]+)`/g, (_, name: string) => {
      if (name === 'apiKey') return 'the API key'
      return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
    })
}
