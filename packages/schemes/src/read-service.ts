import { readFileSync } from 'node:fs'
import { isError } from '@webhook-receiver/core/internal'

/** The content of a file in `services`; `undefined` if there is none. A Worker, which reads no files, has all of them from the bundle: build.mjs. */
export function readService(name: string): unknown {
  try {
    return JSON.parse(readFileSync(new URL(`../services/${name}.json`, import.meta.url), 'utf8'))
  } catch (error) {
    if (isError(error) && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
