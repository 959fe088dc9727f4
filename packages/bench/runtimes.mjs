import { inTemporaryFolder } from '@webhook-receiver/checks/pack.mjs'
import { installRuntimes } from '@webhook-receiver/checks/packed/runtimes/install.mjs'

/** @typedef {{ name: string, version: string, binary: string }} Runtime */

/**
 * Gives `work` the newest of each line of Node, from the npm registry; the Node that runs this where no
 * line is named.
 *
 * @param {readonly string[]} lines
 * @param {(runtimes: Runtime[]) => Promise<void>} work
 */
export async function withRuntimes(lines, work) {
  const version = process.versions.node
  if (lines.length === 0)
    return work([{ name: `Node ${version}`, version, binary: process.execPath }])
  return inTemporaryFolder(async (folder) => {
    const ids = lines.map((line) => `node${line}`)
    return work(await installRuntimes(folder, ids))
  })
}

/** The one for what is measured on one Node only: 24, which most servers run, or the last of them. */
export function mainOf(runtimes) {
  return runtimes.find(({ version }) => version.startsWith('24.')) ?? runtimes.at(-1)
}
