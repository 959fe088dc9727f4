import { existsSync, statSync } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { messageOf, printable, UsageError } from '../console/index.ts'

/**
 * Creates a folder, and those above it. Not by `recursive`, which never ends where a system such as /proc says that a folder is missing
 * whose parent is there.
 */
export async function makeFolder(path: string, mode?: number): Promise<void> {
  if (!existsSync(dirname(path))) await makeFolder(dirname(path), mode)
  await mkdir(path, { mode }).catch((error: unknown) => {
    const there = statSync(path, { throwIfNoEntry: false })
    if (there?.isDirectory()) return
    // Errors that have a `syscall` are printed without a stack, and this one is like those of the system.
    throw there
      ? Object.assign(new Error(`${path} is not a folder`), {
          code: 'ENOTDIR',
          syscall: 'mkdir',
          path,
        })
      : error
  })
}

/** @throws UsageError that names the flag and the file. */
export async function readBytes(path: string, flag: string): Promise<Buffer> {
  return readFile(path).catch((error: unknown) => {
    throw new UsageError(`${flag}: ${messageOf(error, path)}.`)
  })
}

/** The text of a file. What Windows tools put around a text would become a part of a secret, or invalid JSON. */
export async function readText(path: string, flag: string, encoding?: 'latin1'): Promise<string> {
  const bytes = await readBytes(path, flag)
  const start = bytes.toString('latin1', 0, 3)
  const mark = /^(?:\xff\xfe|\xfe\xff)/.test(start)
    ? 'is in UTF-16'
    : start === '\xef\xbb\xbf' && 'begins with a byte order mark'
  if (!mark) return bytes.toString(encoding)
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
  const { value, fault } = parsed(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    // What was typed is shown below, with what the shell may have done to it.
    if (fault && flag !== '--data') throw new UsageError(`${flag} ${fault}.`)
    const shell = /^\s*\{\s*\w+\s*:[^"]*$/.test(text)
      ? 'The shell has removed its quotes: use --data-file'
      : `Use an object such as '{"text":"hello"}'`
    const seen = text.trim().replaceAll(/\s+/g, ' ').slice(0, 40)
    throw new UsageError(`${flag} is not a JSON object, but ${seen || 'empty'}. ${shell}.`)
  }
  if (jsonText(value) === undefined) {
    throw new UsageError(`${flag} is nested too deep: make it flatter.`)
  }
  return { ...value }
}

/** What a JSON text says, or why it says nothing, and where it breaks. */
export function parsed(text: string): { readonly value?: unknown; readonly fault?: string } {
  try {
    return { value: JSON.parse(text) }
  } catch (error) {
    return { fault: `is not JSON${placeIn(text, messageOf(error))}` }
  }
}

/** Where a text breaks, as far as this version of Node says it. Its other words are for programmers. */
function placeIn(text: string, why: string): string {
  const [, position] = /at position (\d+)/.exec(why) ?? []
  if (position !== undefined) {
    const lines = text.slice(0, Number(position)).split('\n')
    return ` at line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`
  }
  const [, token] = /^Unexpected token '?(.)/su.exec(why) ?? []
  if (token !== undefined) return `: "${printable(token)}" is unexpected`
  return why.includes('end of') ? ': it ends too early' : ''
}

/** `undefined` for a value that is nested so deep that JSON.stringify comes to the end of the stack. */
export function jsonText(value: object): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}
