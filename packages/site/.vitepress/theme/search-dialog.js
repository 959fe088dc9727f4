/**
 * VitePress 1.6 calls the box of its search a button, though it holds an input, buttons and links. Screen readers then
 * read none of them.
 */
export function makeSearchADialog() {
  new MutationObserver(() => {
    const box = document.querySelector('body > .VPLocalSearchBox[role="button"]')
    if (!box) return
    box.setAttribute('role', 'dialog')
    box.setAttribute('aria-modal', 'true')
    for (const name of ['aria-expanded', 'aria-haspopup', 'aria-owns']) box.removeAttribute(name)
  }).observe(document.body, { childList: true })
}
