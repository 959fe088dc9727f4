import { h, onMounted, ref } from 'vue'

/** A field above the tables of the services: shows the rows that have all of its words, and the groups that have such rows. */
export default {
  setup() {
    const text = ref('')
    const count = ref(-1)
    function show() {
      const words = text.value.toLowerCase().split(/\s+/).filter(Boolean)
      let found = 0
      for (const table of document.querySelectorAll('.services .vp-doc .table')) {
        const rows = [...table.querySelectorAll('tbody tr')]
        for (const row of rows) {
          const content = row.textContent.toLowerCase()
          row.hidden = !words.every((word) => content.includes(word))
        }
        const shown = rows.filter(({ hidden }) => !hidden).length
        table.hidden = table.previousElementSibling.hidden = shown === 0
        found += shown
      }
      count.value = words.length === 0 ? -1 : found
    }
    // Back on the page, a browser may have kept what was typed.
    onMounted(() => setTimeout(show))
    return () =>
      h('p', { class: 'service-filter' }, [
        h('label', { for: 'service-filter' }, 'Who sends?'),
        h('input', {
          id: 'service-filter',
          type: 'search',
          placeholder: 'Stripe, WhatsApp, e-mail, public key …',
          value: text.value,
          onInput: ({ target }) => {
            text.value = target.value
            show()
          },
        }),
        h('span', { role: 'status' }, said(count.value)),
      ])
  },
}

function said(count) {
  if (count < 0) return ''
  if (count === 0) return 'None of these. “My service is not here” says what to do.'
  return count === 1 ? '1 service' : `${count} services`
}
