import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** On a phone, a picture that has an upright form is replaced by it. */
export function pictures(md) {
  const render = md.renderer.rules.image
  md.renderer.rules.image = (tokens, index, options, env, self) => {
    const html = render(tokens, index, options, env, self)
    const source = tokens[index].attrGet('src')
    const upright = source.replace(/\.svg$/, '-upright.svg')
    return upright !== source && existsSync(join(dirname(env.realPath ?? env.path), upright))
      ? `<picture><source media="(max-width: 639px)" srcset="${upright}">${html}</picture>`
      : html
  }
}
