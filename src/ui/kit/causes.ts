// Words for each cause that a delivery report gives for a letter that wasn’t accepted.

const CAUSES: Record<string, string> = {
  no_such_address: 'The address doesn’t exist',
  no_such_host: 'The domain doesn’t exist',
  moved: 'The recipient has moved to another address',
  accepts_no_mail: 'The domain doesn’t accept mail',
  mailbox_full: 'The mailbox is full',
  mailbox_inactive: 'The mailbox is disabled',
  expired: 'The server gave up after repeated attempts',
  network: 'The recipient’s server couldn’t be reached',
  system: 'The recipient’s server returned an error',
  busy: 'The recipient’s server is busy',
  blocked: 'The sender is on a blocklist',
  authentication: 'SPF, DKIM or DMARC failed',
  spam: 'Classified as spam',
  malware: 'Classified as malware',
  content: 'The content was rejected',
  too_big: 'The letter is too large',
  relay: 'The server doesn’t relay for this sender',
  sender_refused: 'The sender was rejected',
  rate: 'Too many letters in a short time',
  filtered: 'Rejected by a filter',
  policy: 'Rejected by a server policy',
  abuse: 'The recipient marked it as spam',
  fraud: 'The recipient reported it as fraud',
  virus: 'The letter was reported as a virus',
  auth_failure: 'The receiving server reported failed authentication',
  opt_out: 'The recipient asked to stop receiving letters',
  dmarc: 'The receiving server reported failed DMARC',
};

const KINDS: Record<string, string> = {
  soft: 'Delayed or temporarily undeliverable',
  hard: 'The address doesn’t accept mail',
  policy: 'The server rejected the letter',
  complaint: 'The recipient complained',
};

/** A cause that no one gave, or that no longer has words, is told by its kind. */
export const whyReported = ({ kind, cause }: { kind: string; cause: string | null }): string =>
  CAUSES[cause ?? ''] ?? KINDS[kind] ?? 'The letter was reported';
