/** Pictures of a terminal and of bars are wide: on a phone they scroll, also by the keys. */
export function pictures(md) {
  const render = md.renderer.rules.image
  md.renderer.rules.image = (tokens, index, ...others) => {
    const html = render(tokens, index, ...others)
    return /\/(?:bench|listen)\.svg$/.test(tokens[index].attrGet('src'))
      ? `<span class="wide-picture" tabindex="0">${html}</span>`
      : html
  }
}
