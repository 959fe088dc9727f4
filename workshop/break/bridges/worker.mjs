// Works with the `work` and the `run` of a page, whose handlers print a line for each delivery. What is to fail or to take its time
// says so in its content.
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'

const [folder, name] = process.argv.slice(2)
const load = (file) => import(pathToFileURL(join(folder, file)).href)
const { work, dead } = await load(`${name}.ts`)
const { run } = await load('run.ts')

const failures = new Map()

await work(async (job) => {
  const { fails = 0, takes = 0 } = job.delivery.data
  const before = failures.get(job.key) ?? 0
  failures.set(job.key, before + 1)
  await delay(takes)
  if (before < fails) throw new Error('It fails on purpose.')
  await run(job)
})
console.error('Working')

setInterval(async () => process.send?.({ dead: await dead().catch(() => undefined) }), 200)
