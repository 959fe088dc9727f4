/** Of every contender: a base64 text behind its prefix, as Standard Webhooks needs it. */
export const SECRET = `whsec_${Buffer.from('the secret of every contender').toString('base64')}`
