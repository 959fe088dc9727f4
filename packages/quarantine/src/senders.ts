import { opendir, stat, utimes, writeFile } from 'node:fs/promises'
import { isIPv6 } from 'node:net'
import { join } from 'node:path'
import { removeFile } from './pool.ts'

const DAY = 86_400_000
const LIFETIME = 30 * DAY

/** How many addresses are known at most. An IPv6 network of 64 bits is one. */
const MOST = 10_000

/**
 * The addresses from which accepted deliveries came in the last 30 days. Each is an empty file, because a wrong secret comes
 * with a restart.
 */
export class KnownSenders {
  readonly #folder: string
  readonly #now: () => number
  readonly #known = new Map<string, number>()

  constructor(folder: string, now: () => number) {
    this.#folder = folder
    this.#now = now
  }

  note(from: string): void {
    const address = networkOf(from)
    const at = this.#now()
    // Most deliveries come from the same few: a file is written once a day.
    if (this.#isWithin(DAY, address, at) || !this.#learn(address, at)) return
    const path = join(this.#folder, Buffer.from(address).toString('hex'))
    const written = writeFile(path, '', { flag: 'a', mode: 0o600 })
    // Where it cannot be written, only the next process does not know it.
    written.then(() => utimes(path, at / 1000, at / 1000)).catch(() => {})
  }

  knows(from: string, at: number): boolean {
    return this.#isWithin(LIFETIME, networkOf(from), at)
  }

  /** Learns what earlier and other processes have noted. */
  async read(): Promise<void> {
    for await (const { name } of await opendir(this.#folder)) {
      const address = Buffer.from(name, 'hex').toString()
      if (this.#isWithin(DAY, address, this.#now())) continue
      const path = join(this.#folder, name)
      const { mtimeMs = 0 } = (await stat(path).catch(() => undefined)) ?? {}
      if (this.#now() - mtimeMs < LIFETIME) {
        this.#learn(address, mtimeMs)
      } else {
        this.#known.delete(address)
        await removeFile(path)
      }
    }
  }

  #learn(address: string, at: number): boolean {
    if (this.#known.size < MOST || this.#known.has(address)) this.#known.set(address, at)
    return this.#known.has(address)
  }

  /** In both directions, for a clock that was set back. */
  #isWithin(span: number, address: string, at: number): boolean {
    return Math.abs(at - (this.#known.get(address) ?? Number.NaN)) < span
  }
}

/** Whoever has one address of an IPv6 network of 64 bits has all of them, and a service may send from any. */
function networkOf(address: string): string {
  if (!isIPv6(address)) return address
  const [left = [], right] = address.split('::').map((half) => half.split(':'))
  const zeros = right ? Array(8 - left.length - right.length).fill('0') : []
  const groups = [...left, ...zeros, ...(right ?? [])].slice(0, 4)
  const network = groups.map((group) => Number.parseInt(group || '0', 16).toString(16)).join(':')
  // Loopback, and all IPv4 addresses as `::ffff:192.0.2.1`, are no network.
  return network === '0:0:0:0' ? address : `${network}::`
}
