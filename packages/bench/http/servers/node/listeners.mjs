/** The least that can be done: no limit, no error is looked after, and no verification. */
export default function listeners(_secret, take) {
  return (req, res) => {
    const chunks = []
    req.on('data', (chunk) => chunks.push(chunk))
    req.on('end', () => {
      take(JSON.parse(Buffer.concat(chunks).toString()))
      res.writeHead(204).end()
    })
  }
}
