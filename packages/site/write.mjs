// Writes what is generated in docs: the blocks of the reference. `npm run site:write`

import { writeFile } from 'node:fs/promises'
import { generatedFiles } from './generated.mjs'

for (const { file, text } of await generatedFiles()) await writeFile(file, text)
