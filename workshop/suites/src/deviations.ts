import { afterAll, expect, test } from 'vitest'

/** What a framework does otherwise, and why, by the name of the test as it stands in the suite. */
export type Deviations = Readonly<Record<string, string>>

/** `test` of vitest, by which a test among the deviations has to fail, and says why. Call it where the tests stand. */
export function testWith(deviations: Deviations): Test {
  const unknown = new Set(Object.keys(deviations))
  afterAll(() => expect([...unknown], 'deviations that name no test').toEqual([]))
  const named = (name: string) => {
    unknown.delete(name)
    const why = deviations[name]
    return why === undefined ? ([test, name] as const) : ([test.fails, `${name}: ${why}`] as const)
  }
  const one = (name: string, run: () => Promise<void>) => {
    const [kind, title] = named(name)
    kind(title, run)
  }
  const each = (rows: readonly unknown[]) => (name: string, run: (...row: unknown[]) => void) => {
    const [kind, title] = named(name)
    kind.each(rows)(title, run)
  }
  return Object.assign(one, { each }) as Test
}

type Test = Pick<typeof test, 'each'> & ((name: string, run: () => Promise<void>) => void)
