import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

test.each(['openapi.json', 'asyncapi.json'])(
  'Redocly finds no error and nothing to warn of in %s',
  async (name) => {
    const manifest = createRequire(import.meta.url).resolve('@redocly/cli/package.json')
    const command = join(dirname(manifest), 'bin/cli.js')
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [command, 'lint', name, '--extends=recommended', '--format=json'],
      {
        cwd: join(import.meta.dirname, '..'),
        env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
      },
    ).catch((failed: { stdout: string }) => failed)
    expect(JSON.parse(stdout)).toMatchObject({ totals: { errors: 0, warnings: 0 }, problems: [] })
  },
)
