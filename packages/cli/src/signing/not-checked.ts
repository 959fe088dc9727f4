import { printable, shellWord } from '../console/index.ts'
import { type SigningOptions, signingFlags } from '../options/index.ts'

const BODY = 'the body against the signature'
const AGE = 'the age of the timestamp'
const SIGNATURE = 'the signature'

const CHECKS: Readonly<Record<string, string>> = {
  ...{ body: BODY, tamper: BODY, alter: BODY },
  ...{ signature: SIGNATURE, secret: SIGNATURE, 'wrong-secret': SIGNATURE, unsigned: SIGNATURE },
  timestamp: 'the timestamp against the signature',
  ...{ stale: AGE, future: AGE, delay: AGE },
  body_reserialized: 'the bytes of the body, only JSON that it has written again',
}

/** What a receiver does not check that accepts requests with these faults. The others are mistakes in what is signed, or how. */
export function notChecked(faults: readonly string[]): string {
  const missing = faults.map((fault) => CHECKS[fault] ?? 'the signature as the service makes it')
  return [...new Set(missing)].join(' and ')
}

/** What finds the cause: a command with the service and the secret of this one. */
export function doctorLines(url: string, options: SigningOptions): readonly string[] {
  return [
    '  To find out why:',
    `    npx webhook-receiver doctor ${printable(shellWord(url))}${signingFlags(options)}`,
  ]
}
