import { shellWord } from '../console/index.ts'
import type { SchemeOptions, SecretOptions } from './command.ts'

/** Flags with their values, for a shell: those that have one. */
export function flagsOf(values: Readonly<Record<string, string | number | undefined>>): string {
  return Object.entries(values)
    .map(([flag, value]) => (value === undefined ? '' : ` --${flag} ${shellWord(String(value))}`))
    .join('')
}

/** The flags of the service and of the secret, for another command. */
export function signingFlags(options: SchemeOptions & SecretOptions): string {
  return flagsOf({
    scheme: options.scheme,
    'public-url': options.publicUrl,
    'secret-file': options.secretFile,
    'secret-env': options.secretEnv?.join(),
  })
}
