import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { contract } from '@webhook-receiver/core/internal'
import { expect, onTestFinished, test } from 'vitest'
import {
  type FRAMEWORKS,
  newProject,
  planFor,
  serviceOf,
} from '../../../packages/cli/src/add/index.ts'
import { isChanged } from '../changed.mjs'
import { exampleFolder } from '../example.mjs'
import { FRAMEWORKS as ADAPTERS, PART } from '../lists.mjs'

/** Longer than a process takes to see that nothing is left, shorter than any keep-alive, in milliseconds. */
const LINGERING = 4000

/** With PART, one, and those that this change touches. */
const TRIED = [...ADAPTERS, 'nestjs', 'aws-lambda'].filter(
  (name) => !PART || name === 'express' || isChanged(`packages/${name}/`),
)

test.each(TRIED as (keyof typeof FRAMEWORKS)[])(
  'the test of `add` for %s, which calls deliverTo, leaves nothing that keeps a process alive',
  { timeout: 300_000 },
  async (framework) => {
    // What the example has installed is at hand in its folder, and the packages' sources by the condition.
    const folder = mkdtempSync(join(exampleFolder(framework), '.deliver-to-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const { files } = planFor(serviceOf('contract', contract), newProject(framework, 'node'))
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      writeFileSync(join(folder, name), text)
    }
    const name = Object.keys(files).find((file) => file.includes('.test.'))
    const program = `import { afterEach } from 'node:test'
      let done
      afterEach(() => { done = performance.now() })
      process.once('exit', (code) => console.error(code, performance.now() - done))
      await import('./${name}')`
    const options = ['--conditions=@webhook-receiver/source', '--import=tsx']
    const { stderr } = await promisify(execFile)(
      process.execPath,
      [...options, '--input-type=module', `--eval=${program}`],
      { cwd: folder, timeout: 200_000 },
    )
    const [code, lingered] = stderr.trim().split('\n').at(-1)?.split(' ').map(Number) ?? []
    expect(code).toBe(0)
    expect(lingered).toBeLessThan(LINGERING)
  },
)
