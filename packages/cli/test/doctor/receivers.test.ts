import { startExample } from '@webhook-receiver/checks/example.mjs'
import { FRAMEWORKS, PART } from '@webhook-receiver/checks/lists.mjs'
import { stopPrograms } from '@webhook-receiver/checks/program.mjs'
import { afterAll, expect, test } from 'vitest'
import { runDoctor } from '../../src/doctor/run-doctor.ts'
import { SECRET } from '../invoke.ts'
import { PATIENCE } from './receiver-by-hand.ts'

afterAll(() => stopPrograms('SIGKILL'))

/** The test vectors, which every adapter passes, say the same of the others. */
const EXAMPLES = PART ? ['express'] : FRAMEWORKS

test.each(EXAMPLES)('the doctor passes the %s example', async (framework) => {
  const { port } = await startExample(framework, { secret: SECRET })
  const url = `http://127.0.0.1:${port}/webhooks`
  const { faults, results } = await runDoctor({ url, secret: SECRET, timeout: PATIENCE })
  expect(faults).toEqual([])
  const others = results.filter(({ verdict }) => verdict !== 'passed')
  expect(others.map(({ group, verdict }) => `${group} ${verdict}`)).toEqual(
    Array(4).fill('repetition not_observable'),
  )
})
