const { fetchOf } = await import(Deno.env.get('SURFACES'))
const fetch = fetchOf(JSON.parse(Deno.env.get('SETTINGS')))
Deno.serve(
  { hostname: '127.0.0.1', port: 0, onListen: ({ port }) => console.log(`port ${port}`) },
  (request) => fetch(request),
)
