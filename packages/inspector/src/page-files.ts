import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface PageFile {
  readonly type: string
  readonly content: Buffer
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.md': 'text/plain; charset=utf-8',
}

/** The built page, by path. It is the same folder for `src` and for `dist`. */
export function readPage(): ReadonlyMap<string, PageFile> {
  const folder = fileURLToPath(new URL('../dist/page/', import.meta.url))
  const files = new Map<string, PageFile>()
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const type = TYPES[extname(entry.name)]
    if (!entry.isFile() || type === undefined) continue
    const file = join(entry.parentPath, entry.name)
    const path = file.slice(folder.length - 1).replaceAll('\\', '/')
    files.set(path, { type, content: readFileSync(file) })
  }
  const index = files.get('/index.html')
  if (index === undefined) throw new Error(`The page of the inspector is not in ${folder}.`)
  return files.set('/', index)
}
