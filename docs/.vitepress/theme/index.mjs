// The default theme without its fonts: the page is set in what the reader's system has.
import theme from 'vitepress/theme-without-fonts'
import './style.css'

export default theme
