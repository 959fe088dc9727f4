// The system's fonts: nothing is loaded from elsewhere, and there are no font files to wait for.
import { useRouter } from 'vitepress'
import Theme from 'vitepress/theme-without-fonts'
import { h, nextTick, onMounted } from 'vue'
import { followChoices } from './choices.js'
import './home.css'
import { NotFound } from './not-found.js'
import { makeSearchADialog } from './search-dialog.js'
import './style.css'

export default {
  extends: Theme,
  Layout: () => h(Theme.Layout, null, { 'not-found': () => h(NotFound) }),
  setup() {
    const router = useRouter()
    onMounted(() => {
      makeSearchADialog()
      const followAddress = followChoices()
      router.onAfterRouteChange = () => nextTick(followAddress)
    })
  },
}
