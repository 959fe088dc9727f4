import { readFile } from 'node:fs/promises'
import { messageOf, UsageError } from '../console/index.ts'

/** @throws UsageError that names the flag and the file. */
export async function readBytes(path: string, flag: string): Promise<Buffer> {
  return readFile(path).catch((error: unknown) => {
    throw new UsageError(`${flag}: ${messageOf(error)}.`)
  })
}

/** The text of a file. What Windows tools put around a text would become a part of a secret, or invalid JSON. */
export async function readText(path: string, flag: string): Promise<string> {
  const bytes = await readBytes(path, flag)
  const start = bytes.toString('latin1', 0, 3)
  const mark = /^(?:\xff\xfe|\xfe\xff)/.test(start)
    ? 'is in UTF-16'
    : start === '\xef\xbb\xbf' && 'begins with a byte order mark'
  if (!mark) return bytes.toString()
  throw new UsageError(
    `${flag}: ${path} ${mark}. Save it as UTF-8 without a mark: in PowerShell, with Set-Content -Encoding ascii.`,
  )
}

/**
 * Reads a JSON object that a person gave.
 *
 * @throws UsageError that names the flag.
 */
export function jsonObject(text: string, flag: string): Readonly<Record<string, unknown>> {
  const value = parsed(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    const shell = /^\s*\{\s*\w/.test(text)
      ? 'The shell has removed its quotes: use --data-file'
      : `It should be such as '{"text":"hello"}'`
    const seen = text.trim().replaceAll(/\s+/g, ' ').slice(0, 40)
    throw new UsageError(`${flag} is not a JSON object, but ${seen || 'empty'}. ${shell}.`)
  }
  if (jsonText(value) === undefined) {
    throw new UsageError(`${flag} is nested too deep: make it flatter.`)
  }
  return { ...value }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** `undefined` for a value that is nested so deep that JSON.stringify comes to the end of the stack. */
export function jsonText(value: object): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}
