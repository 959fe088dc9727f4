// The pictures that are made from texts, by their file in docs/images.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../sources.mjs'
import { diagram } from './diagram.mjs'
import { terminal } from './terminal.mjs'

const text = (file) => readFileSync(join(import.meta.dirname, file), 'utf8')
const transcript = (file) => readFileSync(join(ROOT, 'packages/cli/test/transcripts', file), 'utf8')

export const pictures = {
  'inbox.svg': diagram(text('inbox.txt'), 'How an inbox handles a delivery'),
  'choose.svg': diagram(text('choose.txt'), 'A store, the inbox or a queue'),
  'listen.svg': terminal(
    transcript('tour.txt'),
    'webhook-receiver listen --scheme stripe --forward localhost:3000/stripe',
    'What listen prints for three requests',
  ),
}
