const { fetchOf } = await import(process.env.SURFACES)
const fetch = fetchOf(JSON.parse(process.env.SETTINGS))
const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch })
console.log(`port ${server.port}`)
