import { describe, expect, test } from 'vitest'
import { everything, MISTAKES, slips } from './mistakes.ts'
import { ALL } from './vectors.ts'

describe.each(MISTAKES.map((mistake) => [mistake.name, mistake] as const))(
  '%s',
  (_name, { scheme, check, made }) => {
    test('our verifier does not make this mistake', async () => {
      expect(await check(scheme)).toEqual([])
    })

    test('a verifier that makes it is noticed', async () => {
      expect(await check(made(scheme))).not.toEqual([])
    })
  },
)

describe.each(ALL.map((scheme) => [scheme.name, scheme] as const))(
  'the value %s',
  (_name, scheme) => {
    test('agrees with its vectors, its timestamp and its window', async () => {
      expect(await everything(scheme)).toEqual([])
    })

    test.each(slips(scheme))('is noticed with %s', async (_what, slip) => {
      expect(await everything(slip)).not.toEqual([])
    })
  },
)
