import { join } from 'node:path'
import { install } from './install.mjs'

/** @typedef {ReturnType<typeof createContext>} Context */

/** What the rows of the matrix share: the registry, and what is installed or compiled once for several of them. */
export function createContext({ folder, registry }) {
  const made = new Map()
  const once = (name, make) => {
    if (!made.has(name)) made.set(name, make())
    return made.get(name)
  }
  return {
    once,
    /** The path of a folder that was installed, and prepared by `prepare`, once. */
    installed(name, dependencies, { prepare, ...options } = {}) {
      return once(name, async () => {
        const where = join(folder, name)
        const { manager = 'pnpm' } = options
        await install(where, dependencies, { registry, ...options, manager })
        await prepare?.(where)
        return where
      })
    },
    /** A folder of this run, for what is installed otherwise. */
    path: (name) => join(folder, name),
  }
}
