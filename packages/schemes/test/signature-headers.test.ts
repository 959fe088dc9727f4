import { SIGNATURE_HEADERS } from '@webhook-receiver/core/internal'
import { expect, test } from 'vitest'
import { awsSns } from '../src/aws-sns/index.ts'
import * as exported from '../src/index.ts'
import { namesOf, schemeValueOf } from '../src/neighbours/index.ts'
import type { DefinedScheme } from '../src/scheme.ts'

/** The names of the header with the signature, by the name under which a scheme is exported; of Amazon SNS, what its requests have. */
const headers = new Map<string, readonly string[]>([
  ['awsSns', awsSns().headers],
  ...Object.entries(exported).flatMap(([name, scheme]) => {
    const value = isScheme(scheme) ? schemeValueOf(scheme) : undefined
    if (!value) return []
    const names = namesOf(value.signature)
    // Of numbered headers, the first one is there whenever another is.
    return [[name, value.signature.each ? names.slice(0, 1) : names] as const]
  }),
])

function isScheme(one: unknown): one is DefinedScheme {
  return typeof one === 'object' && one !== null && 'readHead' in one
}

const rows = Object.entries(SIGNATURE_HEADERS).map(
  ([header, names]) => [header, names.split(/, | or /)] as const,
)

test('core knows the header of every service, in each of its names', () => {
  const known = rows.map(([header]) => header)
  const all = [...headers.values()].flat()
  expect([...new Set(all)].sort()).toEqual([...known].sort())
})

test('each header names the services that sign in it', () => {
  const wrong = rows.flatMap(([header, names]) =>
    names.filter((name) => !headers.get(name)?.includes(header)),
  )
  expect(wrong).toEqual([])
})

test('each service is named by the first of its headers', () => {
  const table = new Map(rows)
  const missing = [...headers].filter(([name, [first = '']]) => !table.get(first)?.includes(name))
  expect(missing).toEqual([])
})
