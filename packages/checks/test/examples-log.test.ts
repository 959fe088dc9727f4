import { afterAll, describe, expect, test } from 'vitest'
import { PART } from '../extent.mjs'
import { EXAMPLES } from '../lists.mjs'
import { stopPrograms } from '../program.mjs'
import { exchange } from '../wire.mjs'
import { startExample } from './example.ts'
import { signedRequest } from './wire.ts'

afterAll(() => stopPrograms('SIGKILL'))

const SERVERS = PART ? ['express', 'nestjs'] : EXAMPLES

describe.each(SERVERS)('the %s example', (name) => {
  test.each(['production', undefined])(
    'writes one line for 300 forged deliveries, where NODE_ENV is %s',
    async (environment) => {
      const lines = await printedFor300Forgeries(name, environment)
      expect(lines).toEqual([expect.stringContaining('401 signature_mismatch')])
    },
  )

  test('writes some of 300 rejections in development, how many it left out, and no stack', async () => {
    const lines = await printedFor300Forgeries(name, 'development')
    const rejections = lines.filter((line) => line.includes(' 401 signature_mismatch'))
    const counts = lines.filter((line) => / \d+ more signature_mismatch in /.test(line))
    expect([rejections.length > 0, rejections.length < 300]).toEqual([true, true])
    expect(lines).toHaveLength(rejections.length + counts.length)
  })
})

async function printedFor300Forgeries(name: string, environment: string | undefined) {
  const example = await startExample(name, { env: { NODE_ENV: environment } })
  const { head, body } = signedRequest('whsec_ffffffffffffffffffffffffffffffff')
  const before = example.output().stderr.length
  for (let sent = 0; sent < 300; sent++) {
    expect(await exchange(example.port, [head, body])).toBe(401)
  }
  const { stderr } = await example.stop()
  // One of the examples prints its spans and metrics there.
  return stderr
    .slice(before)
    .split('\n')
    .filter((line) => !/^$|^{"(?!level)/.test(line))
}
