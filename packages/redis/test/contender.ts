// One of several processes that receive the same deliveries, for processes.test.ts.
import { setTimeout as delay } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { redisStore } from '../src/index.ts'

const [url = '', prefix = '', ids = '0', copies = '0', fate = ''] = process.argv.slice(2)
const redis = new Redis(url)
const store = redisStore({ send: (command) => redis.call(...command), prefix })
const tell = (message: object) => process.send?.(message)

process.once('message', async () => {
  const won: number[] = []
  const claims: Promise<void>[] = []
  for (let copy = 0; copy < Number(copies); copy++) {
    for (let id = 0; id < Number(ids); id++) claims.push(receive(id))
  }
  await Promise.all(claims)
  tell({ won })
  process.disconnect()
  redis.disconnect()

  async function receive(id: number): Promise<void> {
    const token = crypto.randomUUID()
    const claim = await store.claim(`id-${id}`, token, fate === 'hang' ? 1 : 60)
    if (claim.status !== 'claimed') return
    won.push(id)
    if (fate === 'hang') {
      tell({ effect: id })
      await delay(600_000)
    }
    if (!(await store.complete(`id-${id}`, token))) throw new Error(`The lease of ${id} was lost.`)
  }
})
tell({ ready: true })
