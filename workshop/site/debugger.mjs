// Makes the frame of the debugger, from the sources of the packages, and puts it beside the pages: public/debugger-frame.html.
import { copyFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ROOT } from './sources.mjs'

const inspector = join(ROOT, 'packages/inspector')
// The site installs another version, for VitePress.
const vite = createRequire(join(inspector, 'package.json')).resolve('vite')
const { build } = await import(pathToFileURL(vite))
await build({ configFile: join(inspector, 'debugger/vite.config.ts') })
const target = join(import.meta.dirname, 'public/debugger-frame.html')
rmSync(target, { force: true })
copyFileSync(join(inspector, 'dist/debugger/index.html'), target)
