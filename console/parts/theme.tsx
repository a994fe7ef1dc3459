// Light or dark: as the system has it, until one chooses.
import { useState } from 'preact/hooks'

const KEY = 'brine-theme'
type Theme = 'auto' | 'light' | 'dark'

/** What is shown before anything was chosen, and after a reload. */
export function applyTheme(theme: string | null = localStorage.getItem(KEY)): Theme {
  const chosen: Theme = theme === 'light' || theme === 'dark' ? theme : 'auto'
  if (chosen === 'auto') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = chosen
  return chosen
}

/** The choice; kept in this browser. */
export function ThemeSwitch() {
  const [theme, setTheme] = useState<Theme>(() => applyTheme())
  const choose = (next: string): void => {
    localStorage.setItem(KEY, next)
    setTheme(applyTheme(next))
  }
  return (
    <select class="quiet" aria-label="Colours" value={theme} onChange={(event) => choose(event.currentTarget.value)}>
      <option value="auto">Auto</option>
      <option value="light">Light</option>
      <option value="dark">Dark</option>
    </select>
  )
}
