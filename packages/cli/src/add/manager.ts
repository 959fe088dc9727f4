import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** That of package.json, then that of a lock file here or above, then the one that runs this command, then npm. */
export function managerOf(folder: string, packageManager: string | undefined, agent = ''): Manager {
  const known = Object.keys(MANAGERS) as Manager[]
  const named = /^(\w+)@/.exec(packageManager ?? '')?.[1]
  const running = /^(\w+)\//.exec(agent)?.[1]
  const locked = () => {
    for (let above = folder; ; above = dirname(above)) {
      const found = known.find((name) =>
        MANAGERS[name].files.some((file) => existsSync(join(above, file))),
      )
      if (found || dirname(above) === above || existsSync(join(above, '.git'))) return found
    }
  }
  return (
    known.find((name) => name === named) ??
    locked() ??
    known.find((name) => name === running) ??
    'npm'
  )
}

export type Manager = keyof typeof MANAGERS

/** The files by which a package manager is known, and how each adds packages. */
export const MANAGERS = {
  npm: {
    files: ['package-lock.json'],
    add: 'npm install',
    develop: 'npm install --save-dev',
    run: 'npx',
  },
  pnpm: {
    files: ['pnpm-lock.yaml', 'pnpm-workspace.yaml'],
    add: 'pnpm add',
    develop: 'pnpm add -D',
    run: 'pnpm exec',
  },
  yarn: { files: ['yarn.lock'], add: 'yarn add', develop: 'yarn add -D', run: 'yarn' },
  deno: { files: [], add: 'deno add', develop: 'deno add --dev', run: 'npx' },
  bun: { files: ['bun.lock', 'bun.lockb'], add: 'bun add', develop: 'bun add -d', run: 'bunx' },
} as const
