import { useData, withBase } from 'vitepress'
import { h, ref, watch } from 'vue'

/** Copies a page as Markdown, which the site has beside it: for a chat with an assistant. */
export default {
  setup() {
    const { page } = useData()
    const said = ref('')
    watch(page, () => {
      said.value = ''
    })
    async function copy() {
      try {
        const response = await fetch(withBase(`/${page.value.relativePath}`))
        if (!response.ok) throw new Error(response.statusText)
        await navigator.clipboard.writeText(await response.text())
        said.value = 'Copied as Markdown'
      } catch {
        said.value = 'The browser does not let the page copy'
      }
    }
    return () =>
      h('p', { class: 'copy-page' }, [
        h('button', { type: 'button', onClick: copy }, 'Copy page'),
        h('span', { role: 'status' }, said.value),
      ])
  },
}
