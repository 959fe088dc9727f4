// The mistake that everybody makes once: a body parser in front of the receiver.
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

// The demo depends on nothing: it borrows what the Express example has installed.
const { resolve } = createRequire(new URL('../../examples/express/server.ts', import.meta.url))
const [{ default: express }, { webhookMiddleware }] = await Promise.all(
  ['express', '@webhook-receiver/express'].map((name) => import(pathToFileURL(resolve(name)).href)),
)

const app = express()
app.use(express.json())
app.post('/webhooks', webhookMiddleware(process.env.WEBHOOK_SECRET), (req, res) => {
  const { id, event, data } = req.delivery
  console.log(JSON.stringify({ id, event, instance_id: data.instance_id }))
  res.sendStatus(204)
})

const server = app.listen(Number(process.env.PORT ?? 3000), () => {
  console.error(`Listening on http://localhost:${server.address().port}/webhooks`)
})
