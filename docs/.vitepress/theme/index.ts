/// <reference types="vitepress/client" />
import { onContentUpdated } from 'vitepress'
import theme from 'vitepress/theme-without-fonts'
import { chooseEverywhere, chooseRemembered } from './code-tabs.ts'
import './fonts.css'
import './style.css'
import './home.css'
import './reference.css'

export default {
  extends: theme,
  enhanceApp() {
    if (!import.meta.env.SSR) document.addEventListener('change', chooseEverywhere)
  },
  setup() {
    onContentUpdated(chooseRemembered)
  },
}
