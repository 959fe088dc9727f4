import type { Claim, DeliveryStore } from '@webhook-receiver/core'

interface Entry {
  status: 'claimed' | 'done'
  token: string
  end: number
}

/** A store that is right, in the plainest way: each of the wrong ones differs from it in one thing. */
export class PlainStore implements DeliveryStore {
  readonly entries = new Map<string, Entry>()
  readonly retention: number

  constructor({ retention = 259_200 }: { readonly retention?: number | undefined } = {}) {
    this.retention = retention
  }

  async claim(key: string, token: string, lease: number): Promise<Claim> {
    const entry = this.live(key)
    if (entry) return this.rejection(entry)
    this.entries.set(key, { status: 'claimed', token, end: later(lease) })
    return { status: 'claimed' }
  }

  async complete(key: string, token: string): Promise<boolean> {
    if (!this.owns(key, token)) return false
    this.entries.set(key, { status: 'done', token: '', end: later(this.retention) })
    return true
  }

  async release(key: string, token: string): Promise<boolean> {
    return this.owns(key, token) && this.entries.delete(key)
  }

  async extend(key: string, token: string, lease: number): Promise<boolean> {
    if (!this.owns(key, token)) return false
    this.entries.set(key, { status: 'claimed', token, end: later(lease) })
    return true
  }

  async forget(key: string): Promise<boolean> {
    return this.live(key)?.status === 'done' && this.entries.delete(key)
  }

  protected live(key: string): Entry | undefined {
    const entry = this.entries.get(key)
    return entry && entry.end > performance.now() ? entry : undefined
  }

  protected owns(key: string, token: string): boolean {
    const entry = this.live(key)
    return entry?.status === 'claimed' && entry.token === token
  }

  protected rejection(entry: Entry): Claim {
    if (entry.status === 'done') return { status: 'done' }
    return { status: 'in_progress', retryAfter: (entry.end - performance.now()) / 1000 }
  }
}

const entries = new Map<string, Entry>()

/** Asks whether the key is free and then takes it, in two steps: one claim after the other, but not beside another process. */
export class CheckThenSet extends PlainStore {
  override readonly entries = entries
  #last: unknown

  override claim(key: string, token: string, lease: number): Promise<Claim> {
    const claimAfter = async (last: unknown): Promise<Claim> => {
      await last
      const entry = this.live(key)
      await Promise.resolve()
      if (entry) return this.rejection(entry)
      this.entries.set(key, { status: 'claimed', token, end: later(lease) })
      return { status: 'claimed' }
    }
    const claim = claimAfter(this.#last)
    this.#last = claim
    return claim
  }
}

/** Believes everyone to be the owner. */
export class NoToken extends PlainStore {
  protected override owns(key: string): boolean {
    return this.live(key)?.status === 'claimed'
  }
}

/** Holds a claim for ever, as `SET NX` does: where the process dies, the delivery is lost. */
export class NoLease extends PlainStore {
  override claim(key: string, token: string): Promise<Claim> {
    return super.claim(key, token, 86_400)
  }

  override extend(key: string, token: string): Promise<boolean> {
    return super.extend(key, token, 86_400)
  }
}

/** Says that it gave the claim back, and keeps it. */
export class NoRelease extends PlainStore {
  override async release(key: string, token: string): Promise<boolean> {
    return this.owns(key, token)
  }
}

/** Forgets running claims too. */
export class ForgetsClaims extends PlainStore {
  override async forget(key: string): Promise<boolean> {
    return this.entries.delete(key)
  }
}

/** Calls a delivery done that is being handled: where the handler then fails, the service does not retry. */
export class DoneAtOnce extends PlainStore {
  protected override rejection(): Claim {
    return { status: 'done' }
  }
}

/** Goes by X-Webhook-Id, which is not signed: a replay can send another one each time, and none is a duplicate. */
export class HeaderKey extends PlainStore {
  #requests = 0

  override claim(_key: string, token: string, lease: number): Promise<Claim> {
    return super.claim(`dlv-${++this.#requests}`, token, lease)
  }

  override async complete(): Promise<boolean> {
    return true
  }
}

function later(seconds: number): number {
  return performance.now() + seconds * 1000
}
