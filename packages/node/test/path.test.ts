import { pathMatcher } from '@webhook-receiver/node'
import { describe, expect, test } from 'vitest'

const covers = pathMatcher('/webhooks')

describe('the path option covers', () => {
  test.each([
    '/webhooks',
    '/webhooks/',
    '/webhooks?x=1',
    '/webhooks#x',
    '/WebHooks',
    '/webhooks/sub/path',
    '/%77ebhooks',
    '/%57EBHOOKS',
    '/webhook%73/',
    '/webhooks%2Fsub',
    '/webhooks/%',
    '/webhooks/%E0%A4%A',
    '/web%E2%82h%6Foks/../../webhooks',
    '/x/%C3%A9/../../webhooks',
    '/elsewhere/http://x/../../../webhooks',
    '/webhooks?x\ny',
    '/%ff/../webhooks',
    '//webhooks',
    '/./webhooks',
    '/webhooks/../elsewhere',
    '/elsewhere/../webhooks',
    '/elsewhere/%2e%2e/webhooks',
    '\\webhooks',
    '/elsewhere\\..\\webhooks',
    '/%5Cwebhooks',
    '/elsewhere%5C..%5Cwebhooks',
    'http://localhost/webhooks',
    'HTTP://user@localhost:80/webhooks?x',
    '/web%68ooks%3Fx',
  ])('%s', (url) => {
    // What is encoded as a question mark is part of the name for some routers and not for others.
    expect(covers(url)).toBe(!url.includes('%3F'))
  })
})

test('an encoded letter outside ASCII is read as the whole that it is', () => {
  expect(pathMatcher('/caf\u00e9')('/caf%C3%A9')).toBe(true)
})

test('what cannot be decoded stands for itself', () => {
  const spelt = pathMatcher('/x%ff')
  expect([spelt('/x%FF/sub'), spelt('/x%fe'), spelt('/x')]).toEqual([true, false, false])
})

test('a URL inside a path is no host', () => {
  expect(pathMatcher('/x/webhooks')('/x/http://localhost/webhooks')).toBe(false)
})

test('without a URL the root is meant', () => {
  expect(pathMatcher('/')(undefined)).toBe(true)
})

describe('the path option leaves alone', () => {
  test.each(['/', '', '/webhook', '/webhooksabc', '/api/webhooks', '/?/webhooks', '/%', undefined])(
    '%s',
    (url) => {
      expect(covers(url)).toBe(false)
    },
  )
})

test('any of several readings of one request is enough', () => {
  expect(covers('/sub', '/webhooks/sub')).toBe(true)
})

test('the path "/" covers everything', () => {
  const root = pathMatcher('/')
  expect(['/', '/x', '', '//', '/..'].map((url) => root(url))).toEqual([
    true,
    true,
    true,
    true,
    true,
  ])
})

test('a path in another spelling covers the same', () => {
  const spelt = pathMatcher('/API/Web%68ooks/')
  expect([spelt('/api/webhooks'), spelt('/api/web%68ooks/x'), spelt('/api')]).toEqual([
    true,
    true,
    false,
  ])
})

test.each([undefined, null, 1, '', 'webhooks', '/a?b', '/a#b', '/a/*', '/a/:id', ['/a']])(
  'refuses %s for a path at start',
  (path) => {
    expect(() => pathMatcher(path)).toThrow(/`path` should be a plain path .* such as '\/webhooks'/)
  },
)
