export type Theme = 'system' | 'light' | 'dark'

const KEY = 'webhook-inspector-theme'
const THEMES: readonly Theme[] = ['system', 'light', 'dark']

export function startTheme(): Theme {
  const stored = THEMES.find((theme) => theme === localStorage.getItem(KEY)) ?? 'system'
  document.documentElement.dataset.theme = stored
  return stored
}

/** Shows the next theme, and keeps it for the next time. */
export function nextTheme(theme: Theme): Theme {
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'system'
  document.documentElement.dataset.theme = next
  localStorage.setItem(KEY, next)
  return next
}
