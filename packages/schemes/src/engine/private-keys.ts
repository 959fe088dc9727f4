import { isError, thenMaybeAsync } from '@webhook-receiver/core/internal'
import type { SchemeValue } from '../value.ts'
import type { Method } from './method.ts'
import type { KeyImporter } from './secret.ts'

/** Lets a scheme sign whose receivers have a public key. */
export type PrivateKeys = (
  value: SchemeValue,
  methods: readonly Method[],
  importKey: KeyImporter,
) => KeyImporter

/**
 * Makes the function that prepares secrets: to sign, it takes a private key where receivers have a public one, and never the other way
 * around.
 */
export const privateKeys: PrivateKeys = (value, methods, importKey) => {
  const { name, title = name, keys, secret: facts } = value
  const index = methods.findIndex(({ importPrivate }) => importPrivate)
  const form = keys[index]
  if (!form) return importKey
  const { algorithm, secretPrefix = '' } = form
  return (secret, label, use) => {
    const isPrivate = PRIVATE.test(secret)
    if (isPrivate && use !== 'sign') {
      throw new TypeError(
        `${label} is a private key, which signs. Pass ${facts?.called ?? 'the public key'}.`,
      )
    }
    if (isPrivate) {
      try {
        const handle = methods[index]?.importPrivate?.(secret)
        const ready = (made: unknown) => ({ index, handle: made })
        return thenMaybeAsync(handle, ready, unusable)
      } catch (cause) {
        return unusable(cause)
      }
    }
    if (use === 'sign' && (keys.length === 1 || secret.startsWith(secretPrefix))) {
      throw new TypeError(
        `${label} cannot sign, because only ${title} has its private key. For a test, pass one of your own in PEM: \`npx webhook-receiver keys ${name}\` makes a pair, of which ${name}.key signs (in a command: --secret-file).`,
      )
    }
    return importKey(secret, label)

    function unusable(cause: unknown): never {
      const why = isError(cause) ? cause.message : 'it gave no reason'
      throw new TypeError(`${label} is no private key for ${algorithm}: ${why}.`, { cause })
    }
  }
}

const PRIVATE = /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----/
