import { readFile } from 'node:fs/promises'
import { messageOf, UsageError } from '../failure.ts'
import { jsonObject } from '../json-object.ts'

/** What `data.data` is to hold, from `--data` or `--data-file`; `undefined` for a sample. */
export async function readEventData({
  data,
  dataFile,
}: {
  readonly data?: string | undefined
  readonly dataFile?: string | undefined
}): Promise<Readonly<Record<string, unknown>> | undefined> {
  if (data !== undefined && dataFile !== undefined) {
    throw new UsageError('Use --data or --data-file, not both.')
  }
  if (dataFile === undefined) return data === undefined ? undefined : jsonObject(data, '--data')
  const text = await readFile(dataFile, 'utf8').catch((error: unknown) => {
    throw new UsageError(`--data-file cannot be read: ${messageOf(error)}.`)
  })
  return jsonObject(text, '--data-file')
}
