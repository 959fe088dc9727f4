import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createReceiver } from '@webhook-receiver/core'
import { signDelivery } from '@webhook-receiver/core/testing'
import { folderQuarantine } from '@webhook-receiver/quarantine'

const SECRET = 'whsec_the-right-one'
const DELIVERIES = 20_000
const PAIRS = 15

/** CPU time of an accepted delivery with a quarantine, relative to one without: the median of pairs, and their quartiles. */
export async function measureCost() {
  const home = await mkdtemp(join(tmpdir(), 'quarantine-cost-'))
  const quarantine = folderQuarantine(join(home, 'kept'))
  try {
    const signed = await signDelivery(SECRET, 'message.received')
    const headers = new Map(
      Object.entries(signed.headers).map(([name, value]) => [name.toLowerCase(), value]),
    )
    const incoming = {
      method: 'POST',
      header: (name) => headers.get(name),
      readBody: () => signed.body,
      context: undefined,
      remote: () => ({ address: '127.0.0.1' }),
    }
    const measure = async (options) => {
      const receiver = createReceiver(SECRET, { ...options, tolerance: 3600 })
      const before = process.cpuUsage()
      for (let count = 0; count < DELIVERIES; count++) await receiver.receive(incoming)
      const { user, system } = process.cpuUsage(before)
      return user + system
    }
    for (const options of [{}, { quarantine }, {}, { quarantine }]) await measure(options)
    const ratios = []
    for (let pair = 0; pair < PAIRS; pair++) {
      // Each comes first as often as the other.
      const order = pair % 2 === 0 ? [{}, { quarantine }] : [{ quarantine }, {}]
      const times = [await measure(order[0]), await measure(order[1])]
      ratios.push(pair % 2 === 0 ? times[1] / times[0] : times[0] / times[1])
    }
    ratios.sort((one, other) => one - other)
    const at = (share) => ratios[Math.floor((PAIRS - 1) * share)].toFixed(2)
    return {
      median: at(0.5),
      quartiles: [at(0.25), at(0.75)],
      deliveries: DELIVERIES,
      pairs: PAIRS,
    }
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}
