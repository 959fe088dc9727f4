import { pathMatcher } from '@webhook-receiver/node'
import { describe, expect, test } from 'vitest'

const matcherOf =
  (path: string) =>
  (...targets: readonly (string | undefined)[]) =>
    pathMatcher(path)(targets)

const covers = matcherOf('/webhooks')

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
    // What url.parse reads as an authority in front of the path.
    '//a@b/webhooks#',
    '/\\a@b/webhooks#',
    '//a@b/webhooks?x#x',
    '//a:c@b.c/webhooks/#',
    '//a@b/webhooks',
    '//x/webhooks',
    // What url.parse trims, and new URL() removes.
    '/webhooks\u00a0',
    '/webhooks ',
    '/webhooks\ufeff',
    '/web\thooks',
    '/web\u00adhooks',
    // Targets that are not a path.
    'webhooks',
    'x:/webhooks',
    'http://localhost?/webhooks',
    'http://a:b:c/webhooks',
    // What is decoded twice, or decoded before it is parsed.
    '/%2577ebhooks',
    '/webhooks%00',
    '/webhooks%23x',
    '/a%2fb/%2e%2e/webhooks',
    '/%2f/a@b/webhooks',
  ])('%s', (url) => {
    expect(covers(url)).toBe(true)
  })
})

test('an encoded letter outside ASCII is read as the whole that it is', () => {
  expect(matcherOf('/caf\u00e9')('/caf%C3%A9')).toBe(true)
})

test('what cannot be decoded stands for itself', () => {
  const spelt = matcherOf('/x%ff')
  expect([spelt('/x%FF/sub'), spelt('/x%fe'), spelt('/x')]).toEqual([true, false, false])
})

test('a URL behind the segments of the path is not a host', () => {
  expect(matcherOf('/x/webhooks')('/x/http://localhost/webhooks')).toBe(false)
})

test('two slashes where a mount may cut a prefix off can begin a host', () => {
  const nested = matcherOf('/api/v1/webhooks')
  expect([
    nested('/api//a@b/webhooks'),
    nested('/api/v1//a@b/webhooks'),
    nested('/api/%2f/a@b/webhooks'),
    nested('/api/v1/other//a@b/webhooks'),
  ]).toEqual([true, true, true, false])
})

test('a letter that differs from another in lower case only is the same', () => {
  expect(matcherOf('/μ')('/µ')).toBe(true)
})

test('without a URL the root is meant', () => {
  expect(matcherOf('/')(undefined)).toBe(true)
})

describe('the path option leaves alone', () => {
  test.each([
    '/',
    '',
    '/webhook',
    '/webhooksabc',
    '/api/webhooks',
    '/api/webhooks/',
    '/?/webhooks',
    '/%',
    '/about%20webhooks',
    '/search?q=webhooks&at=//a@b/webhooks',
    '/caf%C3%A9/webhooks',
    '/groups/a%2Fwebhooks',
    '/proxy/http://localhost/webhooks',
    'http://localhost/other?next=/webhooks',
    'https://[::1]:80/about-webhooks',
    '//a@b/other#',
    '*',
    undefined,
  ])('%s', (url) => {
    expect(covers(url)).toBe(false)
  })
})

test('any of several readings of one request is enough', () => {
  expect(covers('/sub', '/webhooks/sub')).toBe(true)
})

test('the path "/" covers everything', () => {
  const root = matcherOf('/')
  expect(['/', '/x', '', '//', '/..'].map((url) => root(url))).toEqual([
    true,
    true,
    true,
    true,
    true,
  ])
})

test('a path in another spelling covers the same', () => {
  const spelt = matcherOf('/API/Web%68ooks/')
  expect([spelt('/api/webhooks'), spelt('/api/web%68ooks/x'), spelt('/api')]).toEqual([
    true,
    true,
    false,
  ])
})

describe('what the framework reads', () => {
  test('covers a request whose target does not match', () => {
    const paths = ['/elsewhere', '/webhooks']
    expect(pathMatcher('/webhooks')(['/elsewhere'], () => paths)).toBe(true)
  })

  test('leaves alone what lies elsewhere, and what is not a path', () => {
    const paths = ['/elsewhere', null, undefined, 1]
    expect(pathMatcher('/webhooks')(['/elsewhere'], () => paths)).toBe(false)
  })

  test('covers a request if it cannot be had', () => {
    const unreadable = () => {
      throw new TypeError('Invalid URL')
    }
    expect(pathMatcher('/webhooks')(['/elsewhere'], unreadable)).toBe(true)
  })

  test('is not asked for where the target matches', () => {
    const unreadable = () => expect.unreachable()
    expect(pathMatcher('/webhooks')(['/Webhooks/'], unreadable)).toBe(true)
  })
})

test.each([undefined, null, 1, '', 'webhooks', '/a?b', '/a#b', '/a/*', '/a/:id', ['/a']])(
  'refuses %s for a path at start',
  (path) => {
    expect(() => pathMatcher(path)).toThrow(/`path` should be a plain path .* such as '\/webhooks'/)
  },
)
