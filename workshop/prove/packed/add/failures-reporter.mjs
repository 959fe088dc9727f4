import { appendFileSync } from 'node:fs'

/** A reporter of node:test: appends each failure to the file `FAILURES`. What it yielded would be lost where the process is made to exit. */
export default async function* failures(events) {
  for await (const { type, data } of events) {
    if (type !== 'test:fail') continue
    const { error } = data.details
    appendFileSync(process.env.FAILURES, `${data.name}: ${error.cause?.stack ?? error.message}\n`)
    yield ''
  }
}
