/** Whether a `.gitignore` hides a file beside it, as that of create-next-app hides every `.env*`. The last line that matches decides. */
export function isIgnored(name: string, gitignore: string): boolean {
  const lines = gitignore.split('\n').map((line) => line.trim())
  const last = lines.findLast((line) => patternOf(line).test(name))
  return last !== undefined && !last.startsWith('!')
}

function patternOf(line: string): RegExp {
  const escaped = line.replace(/^!?\/?/, '').replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${escaped.replaceAll('*', '[^/]*').replaceAll('?', '[^/]')}$`)
}
