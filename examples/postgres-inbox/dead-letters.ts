import { close, inbox } from './inbox.js'

// Prints a line of JSON for each dead letter. With the argument `redrive`, all get their attempts again, the oldest first.
for (const { id, event, error, finishedAt } of await inbox.list({ state: 'dead', limit: 1000 })) {
  console.log(JSON.stringify({ id, event, error, at: finishedAt }))
}
if (process.argv[2] === 'redrive') await inbox.retry({ state: 'dead' })
await close()
