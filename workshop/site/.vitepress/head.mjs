// What search engines and messengers read of a page.
import { BASE, ORIGIN } from '../sources.mjs'

const HOME = `${ORIGIN}${BASE}`

export function headOf({ pageData, title, description }) {
  const page = pageData.relativePath.replace(/\.md$/, '')
  if (page === '404') return []
  const url = HOME + page.replace(/(^|\/)index$/, '$1').replace(/[^/]$/, '$&.html')
  const properties = {
    'og:type': 'website',
    'og:site_name': 'webhook-receiver',
    'og:title': title,
    'og:description': description,
    'og:url': url,
    'og:image': `${HOME}card.png`,
  }
  return [
    ['link', { rel: 'canonical', href: url }],
    ['meta', { name: 'twitter:card', content: 'summary_large_image' }],
    ...Object.entries(properties).map(([property, content]) => ['meta', { property, content }]),
  ]
}
