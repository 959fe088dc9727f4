import type { RequestForm, SignedRequest } from './header-forms.ts'

/** What the headers say of the URL is the sender's word, and only tried: a signature that matches proves it. */
export const URL_FORM: RequestForm = {
  code: 'url_other',
  pairs: true,
  what: 'matches a URL with {form}',
  fix: 'Pass as `publicUrl` what the service has as the URL of the webhook: a proxy changes it on its way.',
  variants(request) {
    const { url = '' } = request
    const [, protocol, host = '', path = '', query = ''] =
      /^(https?):\/\/([^/?#]+)([^?#]*)(.*)$/.exec(url) ?? []
    if (protocol === undefined) return []
    const found = new Map([[url, [] as readonly string[]]])
    for (const otherProtocol of ['https', 'http']) {
      for (const otherHost of hostsOf(request, host)) {
        for (const [otherPath, otherQuery] of targetsOf(request, path, query)) {
          const other = `${otherProtocol}://${otherHost}${otherPath}${otherQuery}`
          const names = [
            ...(otherProtocol === protocol ? [] : [otherProtocol]),
            ...(otherHost === host ? [] : ['another host or port']),
            ...(otherPath === path ? [] : ['another path']),
            ...(otherQuery === query ? [] : ['another query']),
          ]
          if (!found.has(other)) found.set(other, names)
        }
      }
    }
    return [...found]
      .filter(([, { length }]) => length > 0)
      .sort(([, left], [, right]) => left.length - right.length)
      .map(([other, names]) => ({ name: names.join(' and '), request: { ...request, url: other } }))
  },
}

/** Where proxies write the path and query that they received. */
const ORIGINAL_TARGETS = [
  'x-original-uri',
  'x-original-url',
  'x-forwarded-uri',
  'x-rewrite-url',
  'x-envoy-original-path',
]

function firstOf(request: SignedRequest, name: string): string {
  return request.header(name)?.split(',')[0]?.trim() ?? ''
}

function hostsOf(request: SignedRequest, host: string): readonly string[] {
  const ports = [firstOf(request, 'x-forwarded-port'), '443', '80']
  const hosts = [host, firstOf(request, 'x-forwarded-host'), firstOf(request, 'host')]
  const spelled = hosts.flatMap((one) => {
    const bare = one.replace(/:\d+$/, '')
    return [one, bare, ...ports.map((port) => `${bare}:${port}`)]
  })
  return [...new Set(spelled)].filter((one) => /^[\w.-]+(?::\d+)?$/.test(one))
}

function targetsOf(
  request: SignedRequest,
  path: string,
  query: string,
): readonly (readonly [path: string, query: string])[] {
  const prefix = firstOf(request, 'x-forwarded-prefix').replace(/\/$/, '')
  const originals = ORIGINAL_TARGETS.map((name) => request.header(name) ?? '').map((target) => {
    const [start = ''] = target.split('?')
    return [start, target.slice(start.length)] as const
  })
  return [
    [path, query] as const,
    [path, ''] as const,
    [prefix + path, query] as const,
    ...originals,
  ]
    .filter(([start]) => start === '' || start.startsWith('/'))
    .flatMap(([start, end]) =>
      [start, start.replace(/\/$/, ''), `${start}/`].map((one) => [one, end] as const),
    )
}
