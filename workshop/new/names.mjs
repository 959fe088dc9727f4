import { read } from './files.mjs'
import { like, name } from './kinds.mjs'

/** The name in each way of writing it. Where that of the neighbour is one word, what is around it says which way that is. */
export function renamed(text) {
  const camel = ([first, ...rest]) => first + rest.map(capital).join('')
  const forms = [
    [camel, /(?<=\b(?:const|async|function) |\{ |': ')/, /\b/],
    [(words) => words.map(capital).join(''), /\b/, /(?=[A-Z])/],
    [(words) => words.join('-')],
    [(words) => words.join('_').toUpperCase()],
    [(words) => words.map(capital).join(' ')],
    [camel],
  ]
  // A heading may write it as its makers do: DynamoDB.
  const heading = new RegExp(`^(#+ )${like}$`, 'i')
  const title = name.split('-').map(capital).join(' ')
  return forms.reduce(
    (changed, [form, before, behind]) => {
      const seen = new RegExp(
        (before?.source ?? '') + form(like.split('-')) + (behind?.source ?? ''),
        'g',
      )
      return changed.replace(seen, form(name.split('-')))
    },
    text.replace(heading, `$1${title}`),
  )
}

/**
 * The text of a store with the names of the packages that its neighbour uses: npm may have anything under the new ones.
 */
export function withDrivers(text) {
  const { devDependencies, peerDependencies } = JSON.parse(read(`packages/${like}/package.json`))
  const names = Object.keys({ ...devDependencies, ...peerDependencies })
  return names
    .flatMap((each) => [each, each.replace('@types/', '')])
    .filter((each) => !each.startsWith('@webhook-receiver/') && renamed(each) !== each)
    .reduce(
      (changed, each) =>
        changed.replace(new RegExp(`(?<=['"])${renamed(each)}(?=['"])`, 'g'), each),
      text,
    )
}

export function capital(word) {
  return word[0].toUpperCase() + word.slice(1)
}
