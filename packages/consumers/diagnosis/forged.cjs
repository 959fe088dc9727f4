// What the operator is told and what the sender is answered, in one stream.
console.error = console.log

exports.FORGED = {
  method: 'POST',
  body: '{}',
  headers: {
    'X-Webhook-Timestamp': '1760000000',
    'X-Webhook-Signature': `sha256=${'ab'.repeat(32)}`,
  },
}
