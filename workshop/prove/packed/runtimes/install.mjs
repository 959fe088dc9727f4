import { join } from 'node:path'
import { arch, platform } from 'node:process'
import { install, versionOf } from '../install.mjs'

/** Which packages hold the binaries, with where in them. The packages in front of those only choose one. */
const BINARIES = {
  node: { name: `node-${platform === 'win32' ? 'win' : platform}-${arch}`, path: 'bin/node' },
  bun: {
    name: `@oven/bun-${platform}-${arch === 'arm64' ? 'aarch64' : arch}`,
    path: 'bin/bun',
  },
  deno: { name: `@deno/${platform}-${arch}${platform === 'linux' ? '-glibc' : ''}`, path: 'deno' },
  workerd: {
    name: `@cloudflare/workerd-${platform}-${arch === 'x64' ? '64' : arch}`,
    path: 'bin/workerd',
  },
}

/** @typedef {{ id: string, kind: 'node' | 'bun' | 'deno' | 'workerd', name: string, version: string, binary: string }} Runtime */

/** Runs what workerd needs beside it, and the frameworks that build a server for Node: they need one newer than 20. */
export const HOST = 'node24'

/** So that no program asks a question, or sends figures to its makers. */
export const QUIET = {
  CI: 'true',
  NEXT_TELEMETRY_DISABLED: '1',
  NUXT_TELEMETRY_DISABLED: '1',
  WRANGLER_SEND_METRICS: 'false',
}

/** One runtime, for all rows that run on it. */
export async function runtimeOf(context, id) {
  const install = () => installRuntimes(context.path(`runtime-${id}`), [id])
  const [runtime] = await context.once(`runtime ${id}`, install)
  return runtime
}

/**
 * Installs runtimes from the npm registry.
 *
 * @param {readonly string[]} ids
 * @returns {Promise<Runtime[]>}
 */
export async function installRuntimes(folder, ids) {
  const packages = ids.map((id) => [id, `npm:${BINARIES[kindOf(id)].name}@${lineOf(id)}`])
  await install(folder, Object.fromEntries(packages))
  return Promise.all(
    ids.map(async (id) => {
      const kind = kindOf(id)
      const version = (await versionOf(folder, id)).replace(/^v/, '')
      const binary = join(folder, 'node_modules', id, BINARIES[kind].path)
      return { id, kind, version, binary, name: `${NAMES[kind]} ${version}` }
    }),
  )
}

const NAMES = { node: 'Node', bun: 'Bun', deno: 'Deno', workerd: 'workerd' }

function kindOf(id) {
  return id.startsWith('node') ? 'node' : id
}

function lineOf(id) {
  return id.startsWith('node') ? id.slice('node'.length) : 'latest'
}
