// A fresh process that imports one module: node --expose-gc load.mjs <its URL>. Prints the result.
const url = process.argv[2]
gc()
const before = process.memoryUsage().heapUsed
const began = process.cpuUsage()
await import(url)
const { user, system } = process.cpuUsage(began)
gc()
console.log(JSON.stringify({ cpu: user + system, heap: process.memoryUsage().heapUsed - before }))
