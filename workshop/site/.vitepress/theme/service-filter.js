import { withBase } from 'vitepress'
import { h, onMounted, ref } from 'vue'
import { data as others } from './other-services.data.mjs'
import { data as signing } from './service-signing.data.mjs'

/**
 * A field above the tables of the services: shows the rows that, with the heading of their group, have a word that begins as each of its words, and the groups that have such
 * rows, directly below it. If there are none, it leads to the services without a page, and what explains the tables is hidden.
 */
export default {
  setup() {
    const text = ref('')
    const count = ref(-1)
    const words = () => plain(text.value).split(' ').filter(Boolean)
    const begins = (content, phrase) => ` ${plain(content)} `.includes(` ${phrase}`)
    const hasAll = (content) => words().every((word) => begins(content, word))
    const hasPhrase = (content) => begins(content, words().join(' '))
    // `ses` is a name, and begins `sessions`.
    const hasWhole = (content) =>
      /^\w{1,3}$/.test(words().join(' ')) && begins(content, `${words()[0]} `)
    function show() {
      const tables = [...document.querySelectorAll('.services .vp-doc .table')]
      const all = tables.flatMap((table) => [...table.querySelectorAll('tbody tr')])
      // The words of `no retries` are in many rows.
      const hasThem = [hasWhole, hasPhrase].find((has) => all.some((row) => has(textOf(row))))
      let found = 0
      for (const table of tables) {
        const rows = [...table.querySelectorAll('tbody tr')]
        const group = table.previousElementSibling.textContent
        for (const row of rows)
          row.hidden = hasThem ? !hasThem(textOf(row)) : !hasAll(`${group} ${textOf(row)}`)
        const shown = rows.filter(({ hidden }) => !hidden).length
        table.hidden = table.previousElementSibling.hidden = shown === 0
        found += shown
      }
      const field = document.querySelector('.service-filter')
      const parts = [...field.parentElement.children]
      // The heading of the first table stays.
      const intro = parts.slice(parts.indexOf(field) + 1, parts.indexOf(tables[0]) - 1)
      for (const each of intro) each.hidden = words().length > 0
      for (const each of parts.slice(parts.indexOf(tables.at(-1)) + 1)) each.hidden = found === 0
      count.value = words().length === 0 ? -1 : found
    }
    // Back on the page, a browser may have kept what was typed.
    onMounted(() => setTimeout(show))
    return () =>
      h('p', { class: 'service-filter' }, [
        h('label', { for: 'service-filter' }, 'Who sends?'),
        h('input', {
          id: 'service-filter',
          type: 'search',
          placeholder: 'Stripe, WhatsApp, Ed25519, no retries …',
          value: text.value,
          onInput: ({ target }) => {
            text.value = target.value
            show()
          },
        }),
        h(
          'span',
          { role: 'status' },
          count.value === 0
            ? elsewhere(others.find(({ name }) => hasAll(name)))
            : said(count.value),
        ),
      ])
  },
}

/** How the service signs, and the row's cells and their lines, which `textContent` of the row would join to one word. */
function textOf(row) {
  const parts = Array.from(row.cells).flatMap(({ childNodes }) => [...childNodes])
  const [, name] = /([\w-]+)(?:\.html)?$/.exec(row.querySelector('a').pathname)
  return [...parts.map(({ textContent }) => textContent), signing[name]].join(' ')
}

/** Words with a space between them. `retry` finds `retries`. */
function plain(content) {
  return content
    .toLowerCase()
    .replaceAll(/ies\b/g, 'y')
    .replaceAll(/[^\p{L}\d]+/gu, ' ')
}

function said(count) {
  if (count < 0) return ''
  return count === 1 ? '1 service' : `${count} services`
}

/** What to do about a service without a page. */
function elsewhere(other) {
  const page = withBase('/guides/other-services.html')
  return other
    ? [`${other.name}: see `, h('a', { href: `${page}#${other.anchor}` }, other.title), '.']
    : ['None of these. ', h('a', { href: page }, 'My service is not here'), ' says what to do.']
}
