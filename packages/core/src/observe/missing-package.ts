import { processWide } from '../copies/process-wide.ts'

const said = processWide('missingDiagnose', () => ({ install: false }))

/**
 * Whether a loader did not find `@webhook-receiver/diagnose`. The errors of Node, Yarn, Bun, Deno, workerd and the bundlers have no
 * code in common, but each has the bare name. An error about a file of the package has the name in a path.
 */
export function isPackageMissing(error: unknown): boolean {
  try {
    return /(?<![\w/\\])@webhook-receiver\/diagnose(?![\w/\\])/.test(String(error))
  } catch {
    // It throws when it is looked at, which no error of a loader does.
    return false
  }
}

/** Says once in a process how to install the package: as an error where the `diagnose` option asks for it, else as a hint. */
export function printInstallation(requested: boolean): void {
  if (said.install) return
  said.install = true
  const command =
    'To see why a signature does not match, run: npm install @webhook-receiver/diagnose'
  if (requested) console.error(`[webhook-receiver] The diagnosis failed. ${command}`)
  else console.warn(`[webhook-receiver] ${command}`)
}
