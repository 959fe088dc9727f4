// The system's fonts: nothing is loaded from elsewhere, and there are no font files to wait for.
import Theme from 'vitepress/theme-without-fonts'
import { onMounted } from 'vue'
import { makeSearchADialog } from './search-dialog.js'
import './style.css'

export default {
  extends: Theme,
  setup: () => onMounted(makeSearchADialog),
}
