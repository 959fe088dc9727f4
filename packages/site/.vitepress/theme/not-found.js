import { useData, withBase } from 'vitepress'
import { h } from 'vue'

const WAYS = [
  ['errors.html', 'An error from your log', 'Every reason, and what to do.'],
  ['services/', 'Your service', 'Stripe, GitHub, Slack and many more.'],
  ['start/express.html', 'Get started', 'On your framework, in three minutes.'],
]

/** For an address without a page. */
export function NotFound() {
  const { title } = useData().site.value
  const ways = WAYS.map(([page, name, text]) =>
    h('li', [h('a', { href: withBase(`/${page}`) }, name), h('span', text)]),
  )
  return h('main', { class: 'not-found' }, [
    h('h1', 'This page does not exist'),
    h(
      'p',
      `Perhaps it was renamed: ${title} is before its version 1.0. Were you looking for one of these? Or press / to search.`,
    ),
    h('ul', ways),
  ])
}
