/**
 * What is installed, imported and bundled: `names` is what an application takes of it to verify. Ours once
 * without a framework and once with an adapter.
 */
export const CONTENDERS = [
  { name: '@webhook-receiver/core', names: ['createReceiver'] },
  { name: '@webhook-receiver/express', names: ['webhookMiddleware'] },
  { name: 'standardwebhooks', names: ['Webhook'] },
  { name: 'svix', names: ['Webhook'] },
  { name: 'stripe', names: ['default'] },
  { name: '@octokit/webhooks-methods', names: ['verify'] },
  { name: '@line/bot-sdk', names: ['validateSignature'] },
  { name: '@slack/bolt', names: ['verifySlackRequest'] },
  { name: '@hookflo/tern', names: ['WebhookVerificationService'] },
  { name: '@sanity/webhook', names: ['isValidSignature'] },
]

export function isOurs(name) {
  return name.startsWith('@webhook-receiver/')
}
