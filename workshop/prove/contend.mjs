import { setTimeout as delay } from 'node:timers/promises'

/**
 * What the test asks of this process.
 *
 * @type {Readonly<Record<string, string>>}
 */
export const settings = JSON.parse(process.argv[2] ?? '{}')

/**
 * Receives each of `settings.ids` deliveries `settings.copies` times at once, when the test says so. It tells the test which keys it
 * handled. With the fate `hang` it tells of its first effect instead, and never ends; with `hang after commit` it never ends.
 *
 * `transact` takes the place of `store` where `settings.mode` is `transaction`; `effect` is what the handler of a delivery does.
 *
 * @template [Transaction=undefined]
 * @param {object} contender
 * @param {Pick<import('@webhook-receiver/core').DeliveryStore, 'claim' | 'complete'>} contender.store
 * @param {(key: string, work: (transaction: Transaction) => Promise<void>) => Promise<unknown>} [contender.transact]
 * @param {(key: string, transaction: Transaction | undefined) => unknown} [contender.effect]
 * @param {() => unknown} [contender.close]
 * @returns {void}
 */
export function contend({ store, transact, effect = () => {}, close = () => {} }) {
  const { ids, copies, mode, fate = '' } = settings
  const tell = (message) => process.send?.(message)
  const won = []

  process.once('message', async () => {
    const received = []
    for (let copy = 0; copy < copies; copy++) {
      for (let id = 0; id < ids; id++) received.push(receive(`${mode} ${fate} ${id}`))
    }
    await Promise.all(received)
    tell({ won })
    if (fate === 'hang after commit') await delay(600_000)
    process.disconnect()
    await close()
  })
  tell({ ready: true })

  async function receive(key) {
    if (mode === 'transaction') {
      await transact(key, (transaction) => handle(key, transaction))
      return
    }
    const token = crypto.randomUUID()
    const claim = await store.claim(key, token, fate === 'hang' ? 1 : 600)
    if (claim.status !== 'claimed') return
    await handle(key)
    if (!(await store.complete(key, token))) throw new Error(`The lease of ${key} was lost.`)
  }

  async function handle(key, transaction) {
    await effect(key, transaction)
    won.push(key)
    if (fate !== 'hang') return
    tell({ effect: key })
    await delay(600_000)
  }
}
