// The default theme without its fonts: the page is set in what the reader's system has.

import { useRoute } from 'vitepress'
import theme from 'vitepress/theme-without-fonts'
import { nextTick, onMounted, onUnmounted, watch } from 'vue'
import './style.css'

export default {
  extends: theme,
  setup() {
    const route = useRoute()
    onMounted(() => {
      reach()
      addEventListener('resize', reach)
    })
    onUnmounted(() => removeEventListener('resize', reach))
    watch(() => route.path, () => nextTick(reach))
  },
}

/** What is wider than the screen can be scrolled by those who have only a keyboard; what is not is no stop on their way. */
function reach() {
  for (const element of document.querySelectorAll('.table, .picture')) {
    if (element.scrollWidth > element.clientWidth) element.tabIndex = 0
    else element.removeAttribute('tabindex')
  }
}
