// The default theme with system fonts.

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

/** Makes elements that are wider than the screen focusable, so that they can be scrolled by keyboard. */
function reach() {
  for (const element of document.querySelectorAll('.table, .picture')) {
    if (element.scrollWidth > element.clientWidth) element.tabIndex = 0
    else element.removeAttribute('tabindex')
  }
}
