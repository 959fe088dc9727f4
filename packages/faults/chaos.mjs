// Kills a receiver again and again while it handles deliveries, and counts what was lost and what happened twice.
import { cleaningUp } from '@webhook-receiver/tools/cleanup.mjs'
import { tryEach } from '@webhook-receiver/tools/not-tried.mjs'
import { HEAD as COPIES_HEAD, runCopies } from './chaos/copies.mjs'
import { HEAD as KILLS_HEAD, runKills } from './chaos/kills.mjs'
import { mayServe, readOptions } from './chaos/options.mjs'
import { report } from './chaos/report.mjs'

const { stores, adapters, copies, receivers, ...options } = readOptions()
report(copies ? COPIES_HEAD : KILLS_HEAD, await tryEach(runs()), `seed ${options.seed}`)

function* runs() {
  for (const store of stores) {
    for (const adapter of adapters) {
      if (!copies) yield named(store, (made) => runKills(store, { ...options, adapter }, made))
      else {
        for (const count of receivers.filter((number) => mayServe(store, number))) {
          const settings = { ...options, adapter, receivers: count }
          yield named(`${store}, ${adapter}, receivers: ${count}`, (made) =>
            runCopies(store, settings, made),
          )
        }
      }
    }
  }
}

function named(name, work) {
  return [name, () => cleaningUp(work)]
}
