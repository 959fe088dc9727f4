import type { Reporter, TestModule } from 'vitest/node'

type Counts = Readonly<Record<string, number>>

/** How many tests of a file CI may skip. */
const ALWAYS: Counts = {
  // Its suite does not look at the items of the table.
  'packages/dynamodb/test/store.test.ts': 6,
  // PGlite has a single connection.
  'packages/postgres/test/pglite.test.ts': 3,
  // Root may write to every folder.
  'packages/quarantine/test/folder-quarantine.test.ts': 1,
  // Node has node:sqlite from 22.13 on.
  'packages/sqlite/test/drivers.test.ts': 1,
}

/** How many more, except in the weekly run, which sets EVERYTHING: .github/workflows/long.yml installs what they need. */
const WITHOUT_EVERYTHING: Counts = {
  // aws-lambda-ric compiles for minutes.
  'packages/aws-lambda/test/processes.test.ts': 6,
  // The alert rules, unless the change touches them.
  'packages/opentelemetry/test/alerts.test.ts': 1,
  // One client behind PgBouncer is enough for a change.
  'packages/postgres/test/pgbouncer.test.ts': 6,
  // better-sqlite3
  'packages/sqlite/test/drivers.test.ts': 1,
}

/** Fails a run that skips tests which are not counted above. */
export const skippedTests: Reporter = {
  onTestRunEnd(modules) {
    const unknown = modules.flatMap((module) => {
      const names = namesOfSkipped(module)
      return names.length > mostSkipped(module.relativeModuleId) ? names : []
    })
    if (unknown.length === 0) return
    console.error(`More tests are skipped than skipped-tests.ts allows:\n  ${unknown.join('\n  ')}`)
    process.exitCode = 1
  },
}

function namesOfSkipped(module: TestModule) {
  const tests = [...module.children.allTests('skipped')]
  return tests.map(({ fullName }) => `${module.relativeModuleId} > ${fullName}`)
}

function mostSkipped(file: string) {
  const more = process.env.EVERYTHING ? 0 : (WITHOUT_EVERYTHING[file] ?? 0)
  return (ALWAYS[file] ?? 0) + more
}
