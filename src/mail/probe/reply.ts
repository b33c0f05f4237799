// What a reply to RCPT says, and about whom: the mailbox, us, or nothing certain. The reply’s words are read only
// here; what leaves is a code of ours and the numbers.

/** One reply whole: its lines without code and separator, joined by spaces, cut. */
export type Reply = { code: number; text: string };

export type Judgement =
  | 'accepted'
  | 'mailbox_absent'
  | 'mailbox_full'
  | 'policy_refused'
  | 'greylisted'
  | 'unclear';

/** Numbers alone, such as `550_5.1.1`. */
export function numbersOf(reply: Reply): string {
  const status = statusOf(reply);
  return status === null ? String(reply.code) : `${reply.code}_${status}`;
}

/** RFC 3463, at the head of the text as RFC 2034 puts it. */
const statusOf = ({ text }: Reply): string | null =>
  /^\s*([245]\.\d{1,3}\.\d{1,3})\b/.exec(text)?.[1] ?? null;

/**
 * Words with which a host judges the sender. They outweigh any number: hosts are known to answer 550 5.1.1 to addresses
 * that they have listed.
 */
const POLICY =
  /spam|\bblock(?:ed|\s?list)|black\s?list|deny\s?list|reputation|\brbl\b|dnsbl|barracuda|proofpoint|cloudmark|\bpolic(?:y|ies)\b|\brdns\b|reverse dns|reverse (?:host|lookup|name)|\bptr\b|\bspf\b|dkim|dmarc|\bhelo\b|dynamic ip|client host|\bip address|not authori[sz]ed|relay|access denied|banned|rate limit|too many|throttl|authentication required/i;

/** Words with which a host that gives no status says that there is no such mailbox. */
const ABSENT =
  /(?:no such|unknown|invalid|non-?existent) (?:user|mailbox|recipient|address|local|account)|(?:user|mailbox|recipient|account|address)(?: \S+)? (?:is )?(?:unknown|not found|does(?: not|n't) exist|doesn't have)|no mailbox (?:here )?by that name|not a known user/i;

/** What a host has to say it says at the start; the patterns are not to be kept busy with the rest. */
const LONGEST_JUDGED = 2_000;

const FULL =
  /(?:mailbox|user|account|recipient)(?: is| has)? (?:full|over ?quota)|quota exceeded|over quota/i;

export function judge({ code, text }: Reply): Judgement {
  const status = statusOf({ code, text });
  // Hosts repeat the address, and an address may hold any of the words.
  const words = text
    .slice(0, LONGEST_JUDGED)
    .split(/\s+/)
    .filter((word) => word.indexOf('@', 1) === -1)
    .join(' ');
  if (code === 250 || code === 251) return 'accepted';
  if (status?.endsWith('.2.2')) return 'mailbox_full';
  if (status === null && code >= 400 && (code === 552 || FULL.test(words))) return 'mailbox_full';
  if (code >= 400 && code < 500) return 'greylisted';
  if (code < 500 || code > 599) return 'unclear';
  if (status?.startsWith('5.7.') || POLICY.test(words)) return 'policy_refused';
  if (status === '5.1.1' || status === '5.1.10') return 'mailbox_absent';
  if (code === 550 && status === null && ABSENT.test(words)) return 'mailbox_absent';
  return 'unclear';
}

/** Whether a mailbox that cannot exist was refused for not existing: then the host tells mailboxes apart. */
export function refusesRandom(reply: Reply): boolean {
  const judged = judge(reply);
  return judged === 'mailbox_absent' || (judged === 'unclear' && [550, 551, 553].includes(reply.code));
}
