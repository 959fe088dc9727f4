import { readFile } from 'node:fs/promises'
import { said, UsageError } from '../failure.ts'

/** What `data.data` is to hold, from `--data` or `--data-file`; `undefined` for a sample. */
export async function readEventData({
  data,
  dataFile,
}: {
  readonly data?: string | undefined
  readonly dataFile?: string | undefined
}): Promise<Readonly<Record<string, unknown>> | undefined> {
  if (data !== undefined && dataFile !== undefined) {
    throw new UsageError('Give --data or --data-file, not both.')
  }
  if (dataFile === undefined) return data === undefined ? undefined : object(data, '--data')
  const text = await readFile(dataFile, 'utf8').catch((error: unknown) => {
    throw new UsageError(`--data-file cannot be read: ${said(error)}.`)
  })
  return object(text, '--data-file')
}

function object(text: string, flag: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  } catch {
    // Said below, as for any other value that is no object.
  }
  throw new UsageError(`${flag} should be a JSON object, such as '{"text":"hello"}'.`)
}
