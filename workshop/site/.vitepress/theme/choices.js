/** A link that is assigned becomes absolute, and looks like one that leads elsewhere. */
function changeAddress(link, from, to) {
  link.setAttribute('href', link.getAttribute('href').replace(from, to))
}

/** What a reader chooses on one page is chosen on all: frameworks, services and package managers. The style shows and hides. */
export function followChoices() {
  const { dataset } = document.documentElement
  const samples = new WeakMap()

  function choose(name, value) {
    dataset[name] = value
    try {
      localStorage.setItem(name, value)
    } catch {
      // Without storage it is not remembered.
    }
    show()
  }

  /** The sample of the home page is for Stripe; for another service, its names are replaced. */
  function showService() {
    const bar = document.querySelector('.picker > .choice-bar')
    const chosen = bar?.querySelector(`[data-choose="${CSS.escape(dataset.service)}"]`)
    if (!chosen) return
    const page = document.querySelector('.service-page')
    page.href = `./services/${chosen.dataset.secret ? chosen.dataset.choose : 'default'}.html`
    page.textContent = `${chosen.textContent}, step by step`
    const offered = document.querySelector(
      `.pitch [data-choose="${CSS.escape(dataset.framework)}"]`,
    )
    const on = offered ? ` on ${offered.textContent}` : ''
    const start = document.querySelector('.actions > .primary')
    start.textContent = chosen.dataset.secret
      ? `Start with ${chosen.textContent}${on}`
      : `Start${on}`
    start.href = `./start/${dataset.framework}.html`
    if (!chosen.dataset.secret) return
    const [first] = bar.children
    for (const part of bar.nextElementSibling.querySelectorAll('code, .file-name')) {
      const html = samples.get(part) ?? part.innerHTML
      samples.set(part, html)
      const names = [
        [first.dataset.secret, chosen.dataset.secret],
        [first.dataset.event, chosen.dataset.event],
        [first.dataset.choose, chosen.dataset.choose],
      ]
      part.innerHTML = names.reduce((text, [from, to]) => text.replaceAll(from, to), html)
    }
  }

  /** For screen readers, what is chosen, which the style shows to others; then the sample. */
  function show() {
    for (const choices of document.querySelectorAll('.choices')) {
      const buttons = [...choices.querySelectorAll(':scope > .choice-bar > button')]
      const chosen = buttons.find((each) => each.dataset.choose === dataset[choices.dataset.name])
      for (const each of buttons) {
        each.setAttribute('aria-pressed', String(each === (chosen ?? buttons[0])))
      }
    }
    leadToStart()
    leadToDebugger()
    showService()
  }

  /** The first page is that of Express, unless another framework was chosen. */
  function leadToStart() {
    for (const link of document.querySelectorAll('a[href$="/start/express.html"], [data-start]')) {
      if (link.closest('.frameworks, .actions, .level-2')) continue
      link.dataset.start = ''
      changeAddress(link, /[\w-]+(?=\.html$)/, dataset.framework)
    }
  }

  /** With the service of the page, or the one that was chosen, and the reason that most have who follow a link in a text. */
  function leadToDebugger() {
    const [, named] = /\/services\/([\w-]+)\.html$/.exec(location.pathname) ?? []
    const chosen = dataset.service === 'my-own-service' ? 'contract' : dataset.service
    const service = named === 'default' ? 'contract' : (named ?? chosen)
    for (const link of document.querySelectorAll('.vp-doc a[href*="/debugger.html"]'))
      changeAddress(link, /#.*|$/, `#${service}/signature_mismatch`)
  }

  /** `#hono` in the address chooses Hono. */
  function followAddress() {
    const [, framework] = /\/start\/([\w-]+)/.exec(location.pathname) ?? []
    if (framework) choose('framework', framework)
    const value = location.hash.slice(1)
    const button = value && document.querySelector(`[data-choose="${CSS.escape(value)}"]`)
    if (button) choose(button.closest('.choices').dataset.name, value)
    else show()
  }

  document.addEventListener('click', ({ target }) => {
    const button = target.closest?.('[data-choose]')
    if (!button) return
    // What is above can change its height; the button stays under the pointer.
    const before = button.getBoundingClientRect().top
    choose(button.closest('.choices').dataset.name, button.dataset.choose)
    window.scrollBy({ top: button.getBoundingClientRect().top - before, behavior: 'instant' })
  })
  window.addEventListener('hashchange', followAddress)
  followAddress()
  return followAddress
}
