/** The topic that is accepted, and the only host that its certificates and confirmations may be at. */
export interface Topic {
  readonly arn: string
  readonly host: string
}

/** By partition, what the names of its hosts end in: `partitions.json` of AWS's SDKs. */
const SUFFIXES: Readonly<Record<string, string>> = {
  aws: 'amazonaws.com',
  'aws-cn': 'amazonaws.com.cn',
  'aws-us-gov': 'amazonaws.com',
  'aws-eusc': 'amazonaws.eu',
  'aws-iso': 'c2s.ic.gov',
  'aws-iso-b': 'sc2s.sgov.gov',
  'aws-iso-e': 'cloud.adc-e.uk',
  'aws-iso-f': 'csp.hci.ic.gov',
}

const ARN = /^arn:([a-z-]+):sns:([a-z\d-]+):\d{12}:(?=.{1,256}$)[\w-]+(?:\.fifo)?$/

/** @throws TypeError that says what the ARN should be. */
export function readTopic(secret: string, label: string): Topic {
  const [, partition = '', region] = ARN.exec(secret) ?? []
  if (!region) {
    throw new TypeError(
      `${label} is not the ARN of a topic, such as arn:aws:sns:eu-west-1:123456789012:orders: only its messages are accepted.`,
    )
  }
  const suffix = Object.hasOwn(SUFFIXES, partition) ? SUFFIXES[partition] : undefined
  if (!suffix) {
    throw new TypeError(
      `${label} is the ARN of a topic in ${partition}. The partitions of AWS that are known are ${Object.keys(SUFFIXES).join(', ')}. Compare ` +
        'it with the one of the topic, and if it is the same, update @webhook-receiver/schemes.',
    )
  }
  return { arn: secret, host: `sns.${region}.${suffix}` }
}

/** Never a host from the request: that of the topic, with TLS, and nothing that a parser could read differently. */
export function isAt(url: string, { host }: Topic): boolean {
  return url.startsWith(`https://${host}/`) && /^[!-~]+$/.test(url)
}

const CERTIFICATE = /^\/SimpleNotificationService-[\da-f]{32}\.pem$/

export function isCertificate(url: string, topic: Topic): boolean {
  return isAt(url, topic) && CERTIFICATE.test(url.slice(`https://${topic.host}`.length))
}
