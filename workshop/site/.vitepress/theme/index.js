// The system's fonts: nothing is loaded from elsewhere, and there are no font files to wait for.
import { useRouter } from 'vitepress'
import Theme from 'vitepress/theme-without-fonts'
import { defineAsyncComponent, h, nextTick, onMounted } from 'vue'
import { followChoices } from './choices.js'
import CopyPage from './copy-page.js'
import ServiceFilter from './service-filter.js'
import './home.css'
import './style.css'

export default {
  extends: Theme,
  Layout: () => h(Theme.Layout, null, { 'doc-footer-before': () => h(CopyPage) }),
  enhanceApp({ app }) {
    app.component('ServiceFilter', ServiceFilter)
    // Loaded where it is used.
    app.component(
      'SignatureDebugger',
      defineAsyncComponent(() => import('./debugger.js')),
    )
  },
  setup() {
    const router = useRouter()
    onMounted(() => {
      new MutationObserver(makeSearchADialog).observe(document.body, { childList: true })
      const followAddress = followChoices()
      requestAnimationFrame(showCurrentPage)
      router.onAfterRouteChange = () => {
        nextTick(followAddress)
        requestAnimationFrame(showCurrentPage)
      }
    })
  },
}

/**
 * VitePress 1.6 calls the box of its search a button, though it holds an input, buttons and links. Screen readers then
 * read none of them.
 */
function makeSearchADialog() {
  const box = document.querySelector('body > .VPLocalSearchBox[role="button"]')
  if (!box) return
  box.setAttribute('role', 'dialog')
  box.setAttribute('aria-modal', 'true')
  for (const name of ['aria-expanded', 'aria-haspopup', 'aria-owns']) box.removeAttribute(name)
}

/** In a sidebar that is longer than the window, such as that of the services. */
function showCurrentPage() {
  const sidebar = document.querySelector('.VPSidebar')
  const page = sidebar?.querySelector('.is-active a')
  if (!page) return
  const below = page.getBoundingClientRect().top - sidebar.getBoundingClientRect().top
  if (below > sidebar.clientHeight - 40) sidebar.scrollTop += below - sidebar.clientHeight / 2
}
