import { expect, test } from 'vitest'
import { readHeaderFile } from '../src/verify/header-file.ts'

test('takes spaces and tabs from around a value, and nothing else', () => {
  const { headers } = readHeaderFile('A: \t x y \t\r\nB:\u00a0z\u00a0\nC:\nD: \t ')
  expect(headers).toEqual([
    ['A', 'x y'],
    ['B', '\u00a0z\u00a0'],
    ['C', ''],
    ['D', ''],
  ])
})

test('reads a value of 1,000,000 spaces', () => {
  const value = `a${' '.repeat(1_000_000)}b`
  expect(readHeaderFile(`A: ${value}`).headers).toEqual([['A', value]])
})
