// The system's fonts: nothing is loaded from elsewhere, and there are no font files to wait for.
import { useRouter } from 'vitepress'
import Theme from 'vitepress/theme-without-fonts'
import { h, nextTick, onMounted } from 'vue'
import { followChoices } from './choices.js'
import './home.css'
import { NotFound } from './not-found.js'
import { makeSearchADialog } from './search-dialog.js'
import './style.css'

/** In a sidebar that is longer than the window, such as that of the services. */
function showCurrentPage() {
  const sidebar = document.querySelector('.VPSidebar')
  const page = sidebar?.querySelector('.is-active a')
  if (!page) return
  const below = page.getBoundingClientRect().top - sidebar.getBoundingClientRect().top
  if (below > sidebar.clientHeight - 40) sidebar.scrollTop += below - sidebar.clientHeight / 2
}

export default {
  extends: Theme,
  Layout: () => h(Theme.Layout, null, { 'not-found': () => h(NotFound) }),
  setup() {
    const router = useRouter()
    onMounted(() => {
      makeSearchADialog()
      const followAddress = followChoices()
      requestAnimationFrame(showCurrentPage)
      router.onAfterRouteChange = () => {
        nextTick(followAddress)
        requestAnimationFrame(showCurrentPage)
      }
    })
  },
}
