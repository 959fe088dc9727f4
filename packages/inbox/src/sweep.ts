import type { Ask } from './database.ts'
import type { Statements } from './statements.ts'

export interface SweepSettings {
  readonly ask: Ask
  readonly statements: Statements
  readonly names: readonly string[]
  readonly retention: number
  readonly deadRetention: number
}

/** The most rows that one sweep deletes. */
const SIZE = 1000

/** Returns the function that deletes what is too old. It resolves to whether there may be more. */
export function createSweep(settings: SweepSettings): () => Promise<boolean> {
  const { ask, statements, names, retention, deadRetention } = settings
  const warned = new Set(names)

  /** Says once what nobody handles, as after a service was renamed. */
  async function lookForStrangers(): Promise<void> {
    for (const { service } of await ask(statements.strangers)) {
      const name = String(service)
      if (warned.has(name)) continue
      warned.add(name)
      console.warn(
        `[webhook-receiver] Inbox: deliveries of the service '${name}' have been due for more than 5 minutes, and this worker has no handlers for it. Was it renamed? Start a worker that has it under this name, or delete them with inbox.forget().`,
      )
    }
  }

  return async () => {
    const swept = await ask(statements.sweep, retention, deadRetention, SIZE)
    if (swept.length === SIZE) return true
    await lookForStrangers()
    return false
  }
}
